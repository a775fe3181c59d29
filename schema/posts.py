"""Posts: the type, its lists, the query `square`, and the mutations that publish, edit and delete posts."""

from datetime import datetime
from operator import attrgetter
from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.hidden_posts as resolve_hidden
import resolvers.posts as resolve
import resolvers.quotes as resolve_quotes
import resolvers.reposts as resolve_reposts
from commands import posts as commands
from commands.labels import Warned
from commands.posts import PostContent
from domain.errors import BadInput
from domain.moderation.verdicts import AuditStatus
from models.home import HomeReasonKind
from models.posts import PostRow
from models.reposts import REPOST
from resolvers.timelines import TimelineSort
from schema import forward
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.edits import EditConnection, edit_history
from schema.entities import Entity
from schema.enums import describe_enum
from schema.facets import Facet, facets
from schema.fields import (
    PAGE,
    After,
    Before,
    First,
    FirstOrNone,
    Info,
    Last,
    batched,
    counted,
    given,
    listed,
    row_type,
    set_or_cleared,
)
from schema.images import Attachment, AttachmentInput, Image, ImageInput, rows
from schema.interfaces import Commentable
from schema.label_types import AUTHOR_LABELS
from schema.payloads import IDEMPOTENCY_KEY, WHILE_STORED, UserError, key_description, payload, user_errors
from schema.quotes import Quote
from schema.reactable import Reactable
from schema.scalars import JSON, Count
from schema.topics import Topic
from schema.users import User


@strawberry.type(description="A post that a user has published: a text, images and topics.")
class Post(Reactable, Commentable):
    is_type_of = row_type(PostRow)

    author: User | None = batched(
        lambda context: context.content.users,
        key=attrgetter("author_id"),
        description="The user who wrote this post. Null if the user is temporarily unavailable.",
    )
    text: str = strawberry.field(description="The text of this post. Can be empty if the post has images.")
    facets: list[Facet] = facets()
    pictures: list[Image] = strawberry.field(name="images", description="The images of this post, in display order.")
    attachments: list[Attachment] = strawberry.field(
        description="The images, videos and audio files of this post, in display order."
    )
    topics: list[Topic] = strawberry.field(
        description="The topics of this post, in the order in which the author gave them."
    )
    created_at: datetime = strawberry.field(
        description="The time when the author published this post, even if it was approved later."
    )
    edited_at: datetime | None = strawberry.field(
        description="The time when the author last edited this post. Null if it was never edited."
    )
    edit_history: EditConnection | None = edit_history("post", "Null if the viewer may not read them")
    repost_count: Count | None = counted(
        "reposts",
        "The number of users who repost this post. Null if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
    )
    viewer_has_reposted: bool | None = batched(
        lambda context: context.own.states(REPOST),
        key=attrgetter("ref"),
        value=lambda state: None if state is None else state != 0,
        description="Whether the viewer (the signed-in user) reposts this post. Null if no user is signed in. If "
        "`extensions.degraded` lists this field, null means that the value is unknown.",
        metadata=access(Rule.POST, personal=True),
    )
    viewer_has_hidden: bool | None = listed(
        resolve_hidden.hidden,
        description="Whether the viewer (the signed-in user) has hidden this post with `hidePost` or `showLess`. Null "
        "if no user is signed in, or if the value is temporarily unavailable (then listed in `extensions.degraded`).",
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    quote: Quote | None = listed(
        resolve_quotes.quoted,
        description="What this post quotes. Null if it quotes nothing, or if the value is temporarily unavailable "
        "(then listed in `extensions.degraded`). An edit does not change it.",
    )
    quote_count: Count | None = counted(
        "quotes",
        "The number of approved posts that quote this post, without those that its author has detached. Null if the "
        "value is temporarily unavailable (then listed in `extensions.degraded`).",
    )
    quotes: forward.PostConnection | None = listed(
        resolve_quotes.quotes,
        description="The approved posts that quote this post, newest first, without those that its author has "
        "detached. Null if the value is temporarily unavailable (then listed in `extensions.degraded`).",
        **PAGE,
    )
    reposters: forward.UserConnection | None = listed(
        resolve_reposts.reposters,
        description="The users who repost this post, newest repost first. Null if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
        **PAGE,
    )
    custom: JSON | None = strawberry.field(description="Custom data of this post. Null if there is none.")
    content_warning: str | None = strawberry.field(
        description="The content warning of the author, such as a warning of spoilers, which apps show before the "
        "text. Null if there is none."
    )
    entity: Entity | None = batched(
        lambda context: context.content.entities_by_id,
        key=attrgetter("about"),
        description="The entity that this post refers to, which apps show as a card below the text. Null if the post "
        "refers to none, if the entity was removed, or if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
    )
    announces_entity: bool = strawberry.field(
        description="Whether this post announces `entity`: it was published for the owner when the entity was "
        "registered, and its text is the title of the entity. Reactions, comments, saves, views and shares of this "
        "post are those of the entity, also if you pass the id of this post to a mutation."
    )
    audit_status: AuditStatus = strawberry.field(
        description="The moderation status of this post. Only the author and moderators can see a post that is not "
        "`APPROVED`."
    )
    awaits_moderator: bool = strawberry.field(
        description="Whether this post waits for the decision of a moderator. Only a `PENDING` post can wait for one. "
        "If this is false, a `PENDING` post waits for the moderation rules, which decide within about a second, or for "
        "the external reviewer."
    )


describe_enum(
    HomeReasonKind,
    "What brings a post into the home timeline of a user who does not follow its author.",
    REPOST="A user whom the viewer follows has reposted the post.",
    TOPIC="The post has a topic that the viewer follows.",
    ENTITY="The post refers to an entity that the viewer follows, or announces it.",
)


@strawberry.type(description="Why a post is in the home timeline.")
class HomeReason:
    kind: HomeReasonKind = strawberry.field(description="What brings the post into the home timeline.")
    topic: Topic | None = strawberry.field(
        description="The topic that the viewer follows and that brings the post into the timeline. Null unless `kind` "
        "is `TOPIC`."
    )
    entity: Entity | None = batched(
        lambda context: context.content.entities_by_id,
        key=attrgetter("entity"),
        description="The entity that the viewer follows and that brings the post into the timeline. Null unless `kind` "
        "is `ENTITY`, if the entity was removed, or if the value is temporarily unavailable (then listed in "
        "`extensions.degraded`).",
    )


@strawberry.type(description="The users who bring a post into the home timeline.")
class RepostedBy:
    nodes: list[User] = strawberry.field(description="The users, newest repost first.")
    total_count: Count = strawberry.field(description="The number of all users that were found, at most 200.")


@strawberry.type(description="A post in a list of posts.")
class PostEdge(Edge[Post]):
    home_reason: HomeReason | None = strawberry.field(
        description="Why this post is in `Viewer.home` or `Viewer.followedTopicsFeed`. Null in home for posts of the "
        "viewer and of users whom the viewer follows, if nothing else brings them to this place, and in all other "
        "lists."
    )
    reposted_by: RepostedBy | None = listed(
        resolve_reposts.reposted_by,
        description="The users whom the viewer follows and whose reposts bring this post into `Viewer.home`, at most "
        "`first`. Only the newest 200 reposters of a post are searched. Null in all other lists, for posts that no "
        "repost has brought to this place, and if the value is temporarily unavailable.",
        metadata=access(Rule.POST, personal=True),
        first=(First, 3),
    )
    reason: str | None = strawberry.field(
        description="The reason why this post is recommended to the viewer, in English, such as `Liked by people you "
        "follow`. Null in all lists except `Viewer.recommended`."
    )


@strawberry.type(description="A page of a list of posts.")
class PostConnection(Connection[Post, PostEdge]):
    pass


@strawberry.input(description="The input of `publishPost`.")
class PublishPostInput:
    text: str = strawberry.field(
        description="The text of the post, at most 5000 characters by default. It can be empty if the post has images."
    )
    images: list[ImageInput] = strawberry.field(
        default_factory=list, description="The images of the post, in display order, at most 9 by default."
    )
    attachments: list[AttachmentInput] = strawberry.field(
        default_factory=list,
        description="The images, videos and audio files of the post, in display order, at most 9 by default. Send "
        "either `images` or `attachments`: both together fail with `BAD_INPUT`.",
    )
    topics: list[str] = strawberry.field(
        default_factory=list,
        description="The topics of the post, at most 10 by default. Each has 1 to 50 letters, digits, `_` and `-`, "
        "with or without a leading `#`. The name is stored in lower case and otherwise keeps its spelling.",
    )
    topics_from_text: bool = strawberry.field(
        default=False,
        description="Whether the post also gets the topics that its text names, such as `#tea`, after those in "
        "`topics`. If there are more topics than a post can have, the last ones of the text are left out.",
    )
    custom: JSON | None = strawberry.field(
        default=UNSET, description="Custom data of the post, which everyone who sees the post can read."
    )
    quote_of: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The id of the post that this post quotes. It must be approved."
    )
    entity_id: strawberry.ID | None = strawberry.field(
        default=UNSET,
        description="The id of an entity that the post refers to, such as a video. The post needs text or images too. "
        "`editPost` cannot change the entity.",
    )
    content_warning: str | None = strawberry.field(
        default=UNSET, description="The content warning, which apps show before the text: at most 200 characters."
    )
    labels: list[str] | None = strawberry.field(
        default=UNSET, description=f"The names of the labels of the post. {AUTHOR_LABELS}"
    )
    idempotency_key: str = strawberry.field(
        description=key_description("post", f"{WHILE_STORED}, it returns the existing post and publishes no second one")
    )

    def content(self) -> PostContent:
        """Returns the content of the new post in the form that the command publishPost takes."""
        images, field = rows(self.images, self.attachments or None)
        custom, quote_of, entity_id = map(given, (self.custom, self.quote_of, self.entity_id))
        warned = Warned(given(self.content_warning), given(self.labels))
        return PostContent(
            self.text, images, self.topics, custom, self.topics_from_text, field, quote_of, entity_id, warned
        )


@strawberry.input(
    description="The input of `editPost`. A field that you omit keeps its value. Null in `text`, `images`, "
    "`attachments`, `topics` or `labels` fails with `BAD_INPUT`."
)
class EditPostInput:
    post_id: strawberry.ID = strawberry.field(
        description="The id of the post to edit. It must be a post of the viewer."
    )
    text: str | None = strawberry.field(
        default=UNSET,
        description="The new text, at most 5000 characters by default. It can be empty if the post has images.",
    )
    images: list[ImageInput] | None = strawberry.field(
        default=UNSET,
        description="The new images in display order, at most 9 by default. They replace all attachments of the post.",
    )
    attachments: list[AttachmentInput] | None = strawberry.field(
        default=UNSET,
        description="The new images, videos and audio files in display order, at most 9 by default. They replace all "
        "attachments of the post. Send either `images` or `attachments`.",
    )
    topics: list[str] | None = strawberry.field(
        default=UNSET,
        description="The new topics, at most 10 by default. They replace all topics of the post. Each has 1 to 50 "
        "letters, digits, `_` and `-`, with or without a leading `#`.",
    )
    topics_from_text: bool = strawberry.field(
        default=False,
        description="Whether the post also gets the topics that the new text names, after those in `topics`. Together "
        "they replace all topics of the post. Has no effect without `text`.",
    )
    custom: JSON | None = strawberry.field(
        default=UNSET, description="The new custom data. It replaces all custom data of the post; null removes it."
    )
    content_warning: str | None = strawberry.field(
        default=UNSET,
        description="The new content warning, which apps show before the text: at most 200 characters. Null removes "
        "it.",
    )
    labels: list[str] | None = strawberry.field(
        default=UNSET,
        description="The names of the labels of the author. They replace the labels that the author has set before. "
        f"Labels of moderators stay. {AUTHOR_LABELS}",
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=IDEMPOTENCY_KEY)

    def content(self) -> PostContent:
        """Returns the changed content in the form that the command editPost takes. Raises BadInput for null in `text`,
        `images`, `attachments`, `topics` or `labels`.
        """
        if None in (self.text, self.images, self.attachments, self.topics, self.labels):
            raise BadInput(
                "text, images, attachments, topics and labels cannot be null. Omit a field to keep its value."
            )
        images, field = rows(given(self.images), given(self.attachments))
        custom = set_or_cleared(self.custom)
        warned = Warned(set_or_cleared(self.content_warning), given(self.labels))
        return PostContent(
            given(self.text), images, given(self.topics), custom, self.topics_from_text, field, warned=warned
        )


@strawberry.input(description="The input of `deletePost`.")
class DeletePostInput:
    post_id: strawberry.ID = strawberry.field(
        description="The id of the post to delete. It must be a post of the viewer."
    )


@strawberry.type(description="The result of `publishPost` and `editPost`.")
class PostPayload:
    subject: Post | None = strawberry.field(
        name="post",
        description="The post after the change, as its author sees it. Null if `userErrors` is not empty, or if the "
        "value is temporarily unavailable (then listed in `extensions.degraded`).",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `deletePost`.")
class DeletePostPayload:
    subject: strawberry.ID | None = strawberry.field(
        name="deletedId", description="The id of the deleted post. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The approved posts of all users. In the order `LATEST`, the list also has all posts of the "
        "viewer (the signed-in user) that are not approved; in the order `HOT`, only those that the viewer published "
        "in the last few seconds. Null only if `errors` has an error for it.",
        metadata=access(Rule.ALL),
    )
    async def square(
        self: Any,
        info: Info,
        sort: Annotated[
            TimelineSort,
            strawberry.argument(description="The order of the posts. A cursor is valid for one order only."),
        ] = TimelineSort.LATEST,
        first: FirstOrNone = UNSET,
        after: After = UNSET,
        last: Last = UNSET,
        before: Before = UNSET,
    ) -> PostConnection | None:
        asked = map(given, (first, after, last, before))
        return await resolve.square(info.context, sort, *asked)  # type: ignore[arg-type, return-value]


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Publishes a post of the viewer (the signed-in user). The viewer sees it at once; other users see "
        "it when moderation has approved it. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: "
        "`TEXT_EMPTY`, `TEXT_TOO_LONG`, `TEXT_INVALID`, `TOO_MANY_IMAGES`, `IMAGE_NOT_ALLOWED`, `TOO_MANY_TOPICS`, "
        "`TOPIC_INVALID`, `INVALID`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`, `TARGET_NOT_FOUND` or `NOT_ALLOWED` at "
        "`quoteOf` if the viewer cannot see or may not quote the post, `TARGET_NOT_FOUND` at `entityId` for an unknown "
        "or removed entity, and `TARGET_DELETED` if the idempotency key belongs to a post that was deleted since.",
        metadata=access(Rule.POST, writes="posts"),
    )
    async def publish_post(self: Any, info: Info, input: PublishPostInput) -> PostPayload | None:
        return await payload(commands.publish(info.context, input.content(), input.idempotency_key))

    @strawberry.mutation(
        description="Edits a post of the viewer (the signed-in user). Moderation then decides about the post again. "
        "Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, "
        "`NOT_ALLOWED`, `TEXT_EMPTY`, `TEXT_TOO_LONG`, `TEXT_INVALID`, `TOO_MANY_IMAGES`, `IMAGE_NOT_ALLOWED`, "
        "`TOO_MANY_TOPICS`, `TOPIC_INVALID`, `INVALID`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.POST, writes="posts"),
    )
    async def edit_post(self: Any, info: Info, input: EditPostInput) -> PostPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.edit(info.context, input.post_id, input.content(), key))

    @strawberry.mutation(
        description="Deletes a post of the viewer (the signed-in user) permanently. Deleting a post again succeeds "
        "and changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, "
        "`NOT_ALLOWED`.",
        metadata=access(Rule.POST, writes="posts"),
    )
    async def delete_post(self: Any, info: Info, input: DeletePostInput) -> DeletePostPayload | None:
        return await payload(resolve.delete(info.context, input.post_id))
