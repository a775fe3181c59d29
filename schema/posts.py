"""Posts: what people publish."""

from datetime import datetime
from operator import attrgetter
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.media as resolve_media
import resolvers.posts as resolve
from commands.posts import Content
from domain.errors import BadInput
from domain.moderation.verdicts import AuditStatus
from models import posts
from models.posts import PostRow
from resolvers.timelines import TimelineSort
from schema.connections import Connection, Edge
from schema.fields import Info, batched, given, listed, row_type
from schema.interfaces import Commentable, Reactable
from schema.payloads import UserError, user_errors
from schema.topics import Topic
from schema.users import User


@strawberry.type(description="A picture of a post.")
class Image:
    url: str = listed(resolve_media.signed, description="Signed; good for some hours, the same for a while.")
    alt: str | None = strawberry.field(description="What it shows, in words.")


@strawberry.type(description="Something somebody has published.")
class Post(Reactable, Commentable):
    is_type_of = row_type(PostRow)

    author: User | None = batched(
        lambda loaders: loaders.users, key=attrgetter("author_id"), description="Who wrote it."
    )
    text: str = strawberry.field(description="What they say; may be empty where there are images.")
    images: list[Image] = strawberry.field(description="What they show.")
    topics: list[Topic] = strawberry.field(description="What it is about.")
    created_at: datetime = strawberry.field(description="When it was published.")
    edited_at: datetime | None = strawberry.field(description="When its author last changed it.")
    audit_status: AuditStatus = strawberry.field(
        description="Other than APPROVED: only its author and moderators see it."
    )


@strawberry.type(description="A post in a list.")
class PostEdge(Edge[Post]):
    reason: str | None = strawberry.field(description="Why it is here, in words; null in lists that are not ranked.")


@strawberry.type(description="A page of posts.")
class PostConnection(Connection[Post, PostEdge]):
    pass


@strawberry.input(description="A picture to be shown.")
class ImageInput:
    url: str = strawberry.field(description="An https address on one of this deployment's image hosts.")
    alt: str | None = strawberry.field(default=UNSET, description="What it shows, in words; at most 500 characters.")


def _content(text: str | None, images: list[ImageInput] | None, topics: list[str] | None) -> Content:
    pictures = None if images is None else [posts.Image(image.url, given(image.alt)) for image in images]
    return Content(text, pictures, topics)


@strawberry.input(description="A post to be published.")
class PublishPostInput:
    text: str = strawberry.field(description="At most 5000 characters; may be empty where there are images.")
    images: list[ImageInput] = strawberry.field(
        default_factory=list, description="At most 9, in the order in which they are shown."
    )
    topics: list[str] = strawberry.field(default_factory=list, description="At most 10, with or without #.")
    idempotency_key: str = strawberry.field(
        description="Makes repeating safe for ever; one per intended post, at most 128 characters."
    )

    def content(self) -> Content:
        """As the commands want it."""
        return _content(self.text, self.images, self.topics)


@strawberry.input(description="What to change of a post. Absent fields stay as they are.")
class EditPostInput:
    post_id: strawberry.ID = strawberry.field(description="The id of a post of one's own.")
    text: str | None = strawberry.field(default=UNSET, description="At most 5000 characters.")
    images: list[ImageInput] | None = strawberry.field(default=UNSET, description="At most 9.")
    topics: list[str] | None = strawberry.field(default=UNSET, description="At most 10.")
    idempotency_key: str | None = strawberry.field(
        default=UNSET, description="Makes repeating safe for a day; one per intended change, at most 128 characters."
    )

    def content(self) -> Content:
        """As the commands want it. Raises BadInput for a null that clears what cannot be empty."""
        if self.text is None or self.images is None or self.topics is None:
            raise BadInput("text, images and topics can be changed, not cleared with null.")
        return _content(given(self.text), given(self.images), given(self.topics))


@strawberry.input(description="What to delete.")
class DeletePostInput:
    post_id: strawberry.ID = strawberry.field(description="The id of a post of one's own.")


@strawberry.type(description="The outcome of publishing or editing.")
class PostPayload:
    subject: Post | None = strawberry.field(name="post", description="The post as its author sees it.")
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The outcome of deleting.")
class DeletePostPayload:
    subject: strawberry.ID | None = strawberry.field(name="deletedId", description="What has been deleted.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class PostQuery:
    @strawberry.field(description="Everybody's posts.")
    async def square(
        self: Any, info: Info, sort: TimelineSort = TimelineSort.LATEST, first: int = 20, after: str | None = UNSET
    ) -> PostConnection | None:
        return await resolve.square(info.context, sort, first, given(after))  # type: ignore[return-value]


@strawberry.type
class PostMutation:
    @strawberry.mutation(description="Publishes a post: its author sees it at once, others once it is approved.")
    async def publish_post(self: Any, info: Info, input: PublishPostInput) -> PostPayload | None:
        return await resolve.publish(info.context, input.content(), input.idempotency_key)  # type: ignore[return-value]

    @strawberry.mutation(description="Changes a post of one's own, which is then judged anew.")
    async def edit_post(self: Any, info: Info, input: EditPostInput) -> PostPayload | None:
        key = given(input.idempotency_key)
        return await resolve.edit(info.context, input.post_id, input.content(), key)  # type: ignore[return-value]

    @strawberry.mutation(description="Deletes a post of one's own, for ever. Deleting it twice changes nothing.")
    async def delete_post(self: Any, info: Info, input: DeletePostInput) -> DeletePostPayload | None:
        return await resolve.delete(info.context, input.post_id)  # type: ignore[return-value]
