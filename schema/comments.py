"""Comments on posts and entities, and replies to comments."""

from datetime import datetime
from operator import attrgetter
from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.comment_lists as resolve_lists
import resolvers.comments as resolve
from domain.moderation.verdicts import AuditStatus
from models.comments import CommentRow
from schema import forward
from schema.connections import Connection, Edge
from schema.fields import PAGE, Info, batched, counted, given, listed, row_type
from schema.interfaces import Commentable, Reactable
from schema.payloads import UserError, user_errors
from schema.scalars import Count
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
        lambda loaders: loaders.users,
        key=attrgetter("shown_author"),
        description="The user who wrote this comment. Null if the comment is deleted, or if the value is temporarily "
        "unavailable (then listed in `extensions.degraded`).",
    )
    said: str | None = strawberry.field(
        name="text", description="The text of this comment. Null if the comment is deleted."
    )
    floor: int | None = strawberry.field(
        description="The number of this comment, called floor. Root comments are numbered 1, 2, 3 … within their post "
        "or entity, replies within their root comment, in the order of approval. Null until the comment is approved. "
        "The number never changes and is not given to another comment."
    )
    root: forward.Comment | None = batched(
        lambda loaders: loaders.comments,
        key=attrgetter("root_id"),
        description="The root comment of the thread to which this reply belongs. Null if this comment is a root "
        "comment itself, if the viewer may not see the root comment, or if the value is temporarily unavailable (then "
        "listed in `extensions.degraded`).",
    )
    parent: forward.Comment | None = batched(
        lambda loaders: loaders.comments,
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
    deleted: bool = strawberry.field(
        description="Whether this comment is deleted. A deleted root comment that has approved replies stays in lists "
        "as a tombstone: this field is true, and text, author and reactions are null. A rejected root comment that "
        "has approved replies looks the same to all users except its author and moderators."
    )
    audit_status: AuditStatus = strawberry.field(
        description="The moderation status of this comment. Only the author and moderators can see a comment that is "
        "not `APPROVED`."
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
    text: str = strawberry.field(description="The text of the comment, at most 2000 characters by default.")
    idempotency_key: str = strawberry.field(
        description="A key of 1 to 128 characters that you choose for this comment, such as a UUID. If you repeat the "
        "request with the same key and input, however late, it returns the existing comment and adds no second one. "
        "The same key with another input is refused with `IDEMPOTENCY_MISMATCH`."
    )


@strawberry.input(description="The input of `deleteComment`.")
class DeleteCommentInput:
    comment_id: strawberry.ID = strawberry.field(description="The id of the comment to delete.")


@strawberry.type(description="The result of `addComment`.")
class CommentPayload:
    subject: Comment | None = strawberry.field(
        name="comment",
        description="The new comment, as its author sees it. Null if `userErrors` is not empty, or if the value is "
        "temporarily unavailable (then listed in `extensions.degraded`).",
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
class CommentMutation:
    @strawberry.mutation(
        description="Adds a comment of the viewer (the signed-in user) to a post or entity, or a reply to another "
        "comment. The viewer sees it at once; other users see it when moderation has approved it. Fails with "
        "`UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, `COMMENTS_CLOSED`, `TEXT_EMPTY`, "
        "`TEXT_TOO_LONG`, `TEXT_INVALID`, `SUSPENDED`, `IDEMPOTENCY_MISMATCH`, and `TARGET_DELETED` if the comment to "
        "reply to was deleted, or if the idempotency key belongs to a comment that was deleted since."
    )
    async def add_comment(self: Any, info: Info, input: AddCommentInput) -> CommentPayload | None:
        reply_to = given(input.reply_to_id)
        return await resolve.add(  # type: ignore[return-value]
            info.context, input.subject_id, reply_to, input.text, input.idempotency_key
        )

    @strawberry.mutation(
        description="Deletes a comment permanently. Allowed for the author of the comment, for the author of the post "
        "or the owner of the entity, and for tokens with the scope `moderate`. Deleting a comment again succeeds and "
        "changes nothing. Fails with `UNAUTHENTICATED` if no user is signed in. User errors: `TARGET_NOT_FOUND`, "
        "`NOT_ALLOWED`."
    )
    async def delete_comment(self: Any, info: Info, input: DeleteCommentInput) -> DeleteCommentPayload | None:
        return await resolve.delete(info.context, input.comment_id)  # type: ignore[return-value]
