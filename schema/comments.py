"""Comments: what people say about posts and entities, and reply to each other."""

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


@strawberry.type(description="What somebody says about a post or an entity, or replies to a comment.")
class Comment(Reactable):
    is_type_of = row_type(CommentRow)

    subject: Commentable | None = listed(
        resolve.subjects, description="What it is about; null where the viewer may not see that."
    )
    author: User | None = batched(
        lambda loaders: loaders.users, key=attrgetter("shown_author"), description="Who wrote it; null once deleted."
    )
    said: str | None = strawberry.field(name="text", description="What they say; null once deleted.")
    floor: int | None = strawberry.field(
        description="1, 2, 3 … a root's within its subject, a reply's within its root; null until approved."
    )
    root: forward.Comment | None = batched(
        lambda loaders: loaders.comments,
        key=attrgetter("root_id"),
        description="What it is below; null on a root comment.",
    )
    parent: forward.Comment | None = batched(
        lambda loaders: loaders.comments,
        key=attrgetter("parent_id"),
        description="What it answers; a direct reply's parent is its root.",
    )
    replied_to: User | None = listed(
        resolve.replied_to, description="Who wrote what it answers; null where the viewer may not see that."
    )
    reply_count: Count | None = counted("replies", "How many replies everybody may see below it.")
    replies: forward.CommentConnection | None = listed(
        resolve_lists.of_roots, description="What is below it, the oldest first; nothing below a reply.", **PAGE
    )
    created_at: datetime = strawberry.field(description="When it was written.")
    deleted: bool = strawberry.field(description="Whether only its place is left, above its replies.")
    audit_status: AuditStatus = strawberry.field(
        description="Other than APPROVED: only its author and moderators see it."
    )


@strawberry.type(description="A comment in a list.")
class CommentEdge(Edge[Comment]):
    pass


@strawberry.type(description="A page of comments.")
class CommentConnection(Connection[Comment, CommentEdge]):
    pass


@strawberry.input(description="A comment to be written.")
class AddCommentInput:
    subject_id: strawberry.ID = strawberry.field(description="The id of a post or an entity.")
    reply_to_id: strawberry.ID | None = strawberry.field(
        default=UNSET, description="The id of a comment on it, to which this is a reply."
    )
    text: str = strawberry.field(description="At most 2000 characters.")
    idempotency_key: str = strawberry.field(
        description="Makes repeating safe for ever; one per intended comment, at most 128 characters."
    )


@strawberry.input(description="What to delete.")
class DeleteCommentInput:
    comment_id: strawberry.ID = strawberry.field(
        description="The id of a comment of one's own, or on something of one's own."
    )


@strawberry.type(description="The outcome of commenting.")
class CommentPayload:
    subject: Comment | None = strawberry.field(name="comment", description="The comment as its author sees it.")
    user_errors: list[UserError] = user_errors()


@strawberry.type(description="The outcome of deleting a comment.")
class DeleteCommentPayload:
    subject: Comment | None = strawberry.field(name="comment", description="What is left of it.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class CommentMutation:
    @strawberry.mutation(description="Comments or replies: its author sees it at once, others once it is approved.")
    async def add_comment(self: Any, info: Info, input: AddCommentInput) -> CommentPayload | None:
        reply_to = given(input.reply_to_id)
        return await resolve.add(  # type: ignore[return-value]
            info.context, input.subject_id, reply_to, input.text, input.idempotency_key
        )

    @strawberry.mutation(
        description="Deletes a comment for ever: its author, its subject's owner, or scope moderate. "
        "Deleting it twice changes nothing."
    )
    async def delete_comment(self: Any, info: Info, input: DeleteCommentInput) -> DeleteCommentPayload | None:
        return await resolve.delete(info.context, input.comment_id)  # type: ignore[return-value]
