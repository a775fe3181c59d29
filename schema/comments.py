"""Comments on posts and entities, and replies to comments."""

from datetime import datetime
from operator import attrgetter
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.comment_lists as resolve_lists
import resolvers.comments as resolve
import resolvers.pinned_comments as resolve_pinned
from commands import comment_edits
from commands import comments as commands
from commands.comments import CommentContent
from commands.labels import Warned
from domain.errors import BadInput
from domain.moderation.verdicts import AuditStatus
from models.comments import CommentRow
from schema import forward
from schema.access import Rule, access
from schema.connections import Connection, Edge
from schema.edits import EditConnection, edit_history
from schema.facets import Facet, facets
from schema.fields import PAGE, Info, batched, counted, given, listed, row_type, set_or_cleared
from schema.images import Attachment, AttachmentInput, Image, ImageInput, rows
from schema.interfaces import Commentable
from schema.label_types import AUTHOR_LABELS
from schema.payloads import IDEMPOTENCY_KEY, WHILE_STORED, UserError, key_description, payload, user_errors
from schema.reactable import Reactable
from schema.scalars import JSON, Count
from schema.users import User


@strawberry.type(
    description="A comment on a post or on an entity (an object of another system, such as a video). A root comment "
    "is directly on that object; a reply answers another comment."
)
class Comment(Reactable):
    is_type_of = row_type(CommentRow)

    subject: Commentable | None = listed(
        resolve.subjects,
        description="The post or entity that this comment is about. Null if the viewer may not see it, or if the "
        "value is temporarily unavailable (then listed in `extensions.degraded`).",
    )
    author: User | None = batched(
        lambda context: context.content.users,
        key=attrgetter("shown_author"),
        description="The user who wrote this comment. Null if the comment is deleted, or if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
    )
    said: str | None = strawberry.field(
        name="text",
        description="The text of this comment. Null if the comment is deleted. Can be empty if the comment has images.",
    )
    facets: list[Facet] = facets()
    pictures: list[Image] = strawberry.field(
        name="images", description="The images of this comment, in display order. Empty if the comment is deleted."
    )
    attachments: list[Attachment] = strawberry.field(
        description="The images, videos and audio files of this comment, in display order. Empty if the comment is "
        "deleted."
    )
    custom: JSON | None = strawberry.field(
        description="Custom data of this comment. Null if there is none, or if the comment is deleted."
    )
    content_warning: str | None = strawberry.field(
        description="The content warning of the author, such as a warning of spoilers, which apps show before the "
        "text. Null if there is none, or if the comment is deleted."
    )
    floor: int | None = strawberry.field(
        description="The number of this comment, called floor. Root comments are numbered 1, 2, 3 … within their post "
        "or entity, replies within their root comment, in the order of approval. Null until the comment is approved. "
        "The number never changes and is not given to another comment."
    )
    root: forward.Comment | None = batched(
        lambda context: context.content.comments,
        key=attrgetter("root_id"),
        description="The root comment of the thread to which this reply belongs. Null if this comment is a root "
        "comment itself, if the viewer may not see the root comment, or if the value is temporarily unavailable (then "
        "listed in `extensions.degraded`).",
    )
    parent: forward.Comment | None = batched(
        lambda context: context.content.comments,
        key=attrgetter("parent_id"),
        description="The comment that this reply answers: the root comment or another reply. Null if this comment is "
        "a root comment, if the answered comment is a deleted reply, if the viewer may not see it, or if the value is "
        "temporarily unavailable (then listed in `extensions.degraded`).",
    )
    replied_to: User | None = listed(
        resolve.replied_to,
        description="The user who wrote the comment that this reply answers (`parent`). Null if this comment is a "
        "root comment, if the answered comment is deleted, if the viewer may not see it, or if the value is "
        "temporarily unavailable (then listed in `extensions.degraded`).",
    )
    reply_count: Count | None = counted(
        "replies",
        "The number of approved replies to this root comment, without deleted ones. Always 0 on a reply. Null if the "
        "value is temporarily unavailable.",
    )
    replies: forward.CommentConnection | None = listed(
        resolve_lists.of_roots,
        description="The approved replies to this root comment and to its replies, oldest first. The list also has "
        "those of the viewer's newest 64 unapproved comments that are replies here. Always empty on a reply. Null if "
        "the value is temporarily unavailable.",
        **PAGE,
    )
    created_at: datetime = strawberry.field(
        description="The time when this comment was written, even if it was approved later."
    )
    edited_at: datetime | None = strawberry.field(
        description="The time when the author last edited this comment. Null if it was never edited, or is deleted."
    )
    edit_history: EditConnection | None = edit_history(
        "comment", "Null if the comment is deleted, if the viewer may not read them"
    )
    deleted: bool = strawberry.field(
        description="Whether this comment is deleted. A deleted root comment that has approved replies stays in lists "
        "as a tombstone: this field is true, and text, author and reactions are null. A rejected root comment that "
        "has approved replies looks the same to all users except its author and moderators."
    )
    is_pinned: bool | None = listed(
        resolve_pinned.pinned,
        description="Whether this comment is the pinned comment of its post or entity. Null if the value is "
        "temporarily unavailable (then listed in `extensions.degraded`).",
    )
    audit_status: AuditStatus = strawberry.field(
        description="The moderation status of this comment. Only the author and moderators can see a comment that is "
        "not `APPROVED`."
    )
    awaits_moderator: bool = strawberry.field(
        description="Whether this comment waits for the decision of a moderator. Only a `PENDING` comment can wait for "
        "one. If this is false, a `PENDING` comment waits for the moderation rules, which decide within about a "
        "second, or for the external reviewer."
    )


@strawberry.type(description="A comment in a list of comments.")
class CommentEdge(Edge[Comment]):
    pass


@strawberry.type(description="A page of a list of comments.")
class CommentConnection(Connection[Comment, CommentEdge]):
    pass


@strawberry.input(description="The input of `addComment`.")
class AddCommentInput:
    subject_id: strawberry.ID = strawberry.field(description="The id of the post or entity to comment on.")
    reply_to_id: strawberry.ID | None = strawberry.field(
        default=UNSET,
        description="The id of the comment to reply to. It must be a comment on the same post or entity. Omit it to "
        "write a root comment, which is not a reply.",
    )
    text: str = strawberry.field(
        description="The text of the comment, at most 2000 characters by default. It can be empty if the comment has "
        "images."
    )
    images: list[ImageInput] = strawberry.field(
        default_factory=list, description="The images of the comment, in display order, at most 4 by default."
    )
    attachments: list[AttachmentInput] = strawberry.field(
        default_factory=list,
        description="The images, videos and audio files of the comment, in display order, at most 4 by default. Send "
        "either `images` or `attachments`: both together fail with `BAD_INPUT`.",
    )
    custom: JSON | None = strawberry.field(
        default=UNSET, description="Custom data of the comment, which everyone who sees the comment can read."
    )
    content_warning: str | None = strawberry.field(
        default=UNSET, description="The content warning, which apps show before the text: at most 200 characters."
    )
    labels: list[str] | None = strawberry.field(
        default=UNSET, description=f"The names of the labels of the comment. {AUTHOR_LABELS}"
    )
    idempotency_key: str = strawberry.field(
        description=key_description(
            "comment", f"{WHILE_STORED}, it returns the existing comment and adds no second one"
        )
    )

    def content(self) -> CommentContent:
        """Returns the content of the new comment in the form that the command addComment takes."""
        images, field = rows(self.images, self.attachments or None)
        warned = Warned(given(self.content_warning), given(self.labels))
        return CommentContent(self.text, images or None, given(self.custom), field, warned)


@strawberry.input(
    description="The input of `editComment`. A field that you omit keeps its value. Null in `text`, `images`, "
    "`attachments` or `labels` fails with `BAD_INPUT`."
)
class EditCommentInput:
    comment_id: strawberry.ID = strawberry.field(
        description="The id of the comment to edit. It must be a comment of the viewer."
    )
    text: str | None = strawberry.field(
        default=UNSET,
        description="The new text, at most 2000 characters by default. It can be empty if the comment has images.",
    )
    images: list[ImageInput] | None = strawberry.field(
        default=UNSET,
        description="The new images in display order, at most 4 by default. They replace all "
        "attachments of the comment.",
    )
    attachments: list[AttachmentInput] | None = strawberry.field(
        default=UNSET,
        description="The new images, videos and audio files in display order, at most 4 by default. They replace all "
        "attachments of the comment. Send either `images` or `attachments`.",
    )
    custom: JSON | None = strawberry.field(
        default=UNSET,
        description="The new custom data. It replaces all custom data of the comment; null removes it.",
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

    def content(self) -> CommentContent:
        """Returns the changed content in the form that the command editComment takes. Raises BadInput for null in
        `text`, `images`, `attachments` or `labels`.
        """
        if None in (self.text, self.images, self.attachments, self.labels):
            raise BadInput("text, images, attachments and labels cannot be null. Omit a field to keep its value.")
        images, field = rows(given(self.images), given(self.attachments))
        warned = Warned(set_or_cleared(self.content_warning), given(self.labels))
        return CommentContent(given(self.text), images, set_or_cleared(self.custom), field, warned)


@strawberry.input(description="The input of `deleteComment`.")
class DeleteCommentInput:
    comment_id: strawberry.ID = strawberry.field(description="The id of the comment to delete.")


@strawberry.type(description="The result of `addComment` or `editComment`.")
class CommentPayload:
    subject: Comment | None = strawberry.field(
        name="comment",
        description="The new or edited comment, as its author sees it. Null if `userErrors` is not empty, or if the "
        "value is temporarily unavailable (then listed in `extensions.degraded`).",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `deleteComment`.")
class DeleteCommentPayload:
    subject: Comment | None = strawberry.field(
        name="comment",
        description="The deleted comment, without text, author and reactions. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Adds a comment of the viewer (the signed-in user) to a post or entity, or a reply to another "
        "comment. The viewer sees it at once; other users see it when moderation has approved it. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `COMMENTS_CLOSED`, "
        "`COMMENTS_RESTRICTED`, `BLOCKED`, `TEXT_EMPTY`, `TEXT_TOO_LONG`, `TEXT_INVALID`, `TOO_MANY_IMAGES`, "
        "`IMAGE_NOT_ALLOWED`, `INVALID`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`, and `TARGET_DELETED` if the comment to "
        "reply to was deleted, or if the idempotency key belongs to a comment that was deleted since.",
        metadata=access(Rule.COMMENT, writes="comments"),
    )
    async def add_comment(self: Any, info: Info, input: AddCommentInput) -> CommentPayload | None:
        reply_to = given(input.reply_to_id)
        writing = commands.add(info.context, input.subject_id, reply_to, input.content(), input.idempotency_key)
        return await payload(writing)

    @strawberry.mutation(
        description="Edits a comment of the viewer (the signed-in user). Allowed for some time after the comment was "
        "written, 15 minutes by default. Moderation then decides about the comment again. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, `NOT_ALLOWED`, "
        "`EDIT_WINDOW_OVER`, `BLOCKED`, `TEXT_EMPTY`, `TEXT_TOO_LONG`, `TEXT_INVALID`, `TOO_MANY_IMAGES`, "
        "`IMAGE_NOT_ALLOWED`, `INVALID`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.COMMENT, writes="comments"),
    )
    async def edit_comment(self: Any, info: Info, input: EditCommentInput) -> CommentPayload | None:
        key = given(input.idempotency_key)
        return await payload(comment_edits.edit(info.context, input.comment_id, input.content(), key))

    @strawberry.mutation(
        description="Deletes a comment permanently. Allowed for the author of the comment, for the author of the post "
        "or the owner of the entity, and for users with the role `MODERATOR` or higher (`LEAD` while its author "
        "appeals). Deleting a comment again succeeds and changes nothing. Fails with `UNAUTHENTICATED` if no user is "
        "signed in. User errors: `TARGET_NOT_FOUND`, `NOT_ALLOWED`, and `SUSPENDED` for a moderator.",
        metadata=access(Rule.COMMENT, writes="comments"),
    )
    async def delete_comment(self: Any, info: Info, input: DeleteCommentInput) -> DeleteCommentPayload | None:
        return await payload(commands.delete(info.context, input.comment_id))
