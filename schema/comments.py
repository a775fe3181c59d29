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


@strawberry.type(description="A comment on a post or an entity, or a reply to another comment.")
class Comment(Reactable):
    is_type_of = row_type(CommentRow)

    subject: Commentable | None = listed(
        resolve.subjects,
        description="The post or entity that this comment is about. Null if the viewer may not see it, or if it is "
        "temporarily unavailable.",
    )
    author: User | None = batched(
        lambda loaders: loaders.users,
        key=attrgetter("shown_author"),
        description="The user who wrote this comment. Null if the comment is deleted, or if the user is temporarily "
        "unavailable.",
    )
    said: str | None = strawberry.field(
        name="text", description="The text of this comment. Null if the comment is deleted."
    )
    floor: int | None = strawberry.field(
        description="The floor, that is the number of this comment: root comments are numbered 1, 2, 3 … within their "
        "post or entity, replies within their root comment, in the order of approval. Null until the comment is "
        "approved. The number never changes and is not reused."
    )
    root: forward.Comment | None = batched(
        lambda loaders: loaders.comments,
        key=attrgetter("root_id"),
        description="The root comment of the thread that this reply belongs to. Null on a root comment, if the viewer "
        "may not see the root, or if it is temporarily unavailable.",
    )
    parent: forward.Comment | None = batched(
        lambda loaders: loaders.comments,
        key=attrgetter("parent_id"),
        description="The comment that this reply answers: the root or another reply. Null on a root comment, if the "
        "parent is a deleted reply or the viewer may not see it, or if it is temporarily unavailable. A deleted root "
        "is a placeholder, see `deleted`.",
    )
    replied_to: User | None = listed(
        resolve.replied_to,
        description="The user who wrote the parent comment. Null on a root comment, if the parent is deleted or the "
        "viewer may not see it, or if the user is temporarily unavailable.",
    )
    reply_count: Count | None = counted(
        "replies",
        "The number of approved replies to this root comment. Always 0 on a reply. Null if temporarily unavailable.",
    )
    replies: forward.CommentConnection | None = listed(
        resolve_lists.of_roots,
        description="The replies to this root comment, oldest first. Always empty on a reply. Null if temporarily "
        "unavailable.",
        **PAGE,
    )
    created_at: datetime = strawberry.field(description="The time when this comment was written.")
    deleted: bool = strawberry.field(
        description="Whether this comment is deleted. A deleted or rejected comment that has replies stays in lists as "
        "a placeholder, for which this is true: it has no text, no author and no reactions."
    )
    audit_status: AuditStatus = strawberry.field(
        description="The moderation status of this comment. Only its author and moderators can see a comment that is "
        "not `APPROVED`."
    )


@strawberry.type(description="A comment in a list.")
class CommentEdge(Edge[Comment]):
    pass


@strawberry.type(description="A page of comments.")
class CommentConnection(Connection[Comment, CommentEdge]):
    pass


@strawberry.input(description="The input of `addComment`.")
class AddCommentInput:
    subject_id: strawberry.ID = strawberry.field(description="The id of the post or entity to comment on.")
    reply_to_id: strawberry.ID | None = strawberry.field(
        default=UNSET,
        description="The id of the comment to reply to, on the same post or entity. Omit it to write a root comment.",
    )
    text: str = strawberry.field(description="The text of the comment. At most 2000 characters by default.")
    idempotency_key: str = strawberry.field(
        description="A key that you choose for this comment, at most 128 characters. A request that repeats the key "
        "and the input returns the existing comment and creates no second comment, however late it arrives."
    )


@strawberry.input(description="The input of `deleteComment`.")
class DeleteCommentInput:
    comment_id: strawberry.ID = strawberry.field(description="The id of the comment to delete.")


@strawberry.type(description="The result of `addComment`.")
class CommentPayload:
    subject: Comment | None = strawberry.field(
        name="comment",
        description="The new comment, as its author sees it. Null if `userErrors` is not empty, or if the comment is "
        "temporarily unavailable.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The result of `deleteComment`.")
class DeleteCommentPayload:
    subject: Comment | None = strawberry.field(
        name="comment", description="The deleted comment, without text and author. Null if `userErrors` is not empty."
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class CommentMutation:
    @strawberry.mutation(
        description="Adds a comment or a reply. The author sees it at once, other users see it after approval. "
        "Requires a signed-in user. User errors: `TARGET_NOT_FOUND`, `TARGET_DELETED`, `COMMENTS_CLOSED`, "
        "`TEXT_EMPTY`, `TEXT_TOO_LONG`, `TEXT_INVALID`, `IDEMPOTENCY_MISMATCH`."
    )
    async def add_comment(self: Any, info: Info, input: AddCommentInput) -> CommentPayload | None:
        reply_to = given(input.reply_to_id)
        return await resolve.add(  # type: ignore[return-value]
            info.context, input.subject_id, reply_to, input.text, input.idempotency_key
        )

    @strawberry.mutation(
        description="Deletes a comment permanently. Allowed for its author, for the owner of the post or entity, and "
        "for tokens with the scope `moderate`. Deleting a comment again succeeds and changes nothing. "
        "User errors: `TARGET_NOT_FOUND`, `NOT_ALLOWED`."
    )
    async def delete_comment(self: Any, info: Info, input: DeleteCommentInput) -> DeleteCommentPayload | None:
        return await resolve.delete(info.context, input.comment_id)  # type: ignore[return-value]
