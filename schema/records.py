"""Things that are talked about, viewed and shared."""

from typing import TYPE_CHECKING, Annotated, Any

import strawberry

import resolvers.comment_lists as resolve_lists
import resolvers.comments as resolve_comments
import resolvers.records as resolve
from resolvers.comment_lists import CommentSort
from schema.batched import PAGE, Info, listed
from schema.likes import counted
from schema.nodes import Node
from schema.payloads import UserError, user_errors
from schema.scalars import Count
from store.reactions.views_and_shares import ViewOrShareKind

if TYPE_CHECKING:
    from schema.pages import CommentConnection

strawberry.enum(CommentSort, description="What comments are ordered by.")


@strawberry.interface(description="Something people view, share, and talk about.")
class Commentable(Node):
    view_count: Count | None = counted("views", "Views, each viewer or device once an hour.")
    share_count: Count | None = counted("shares", "Shares.")
    comment_count: Count | None = counted("comments", "How many comments everybody may see, replies included.")
    root_comment_count: Count | None = counted("root_comments", "The same without replies.")
    comments_closed: bool = listed(resolve_comments.closed, description="Whether new comments are refused.")
    comments: Annotated["CommentConnection", strawberry.lazy("schema.pages")] | None = listed(
        resolve_lists.of_subjects,
        description="Its root comments; the viewer's own also where nobody else sees them.",
        sort=(CommentSort, CommentSort.HOT),
        **PAGE,
    )


@strawberry.input(description="What was viewed or shared.")
class RecordInput:
    target_ids: list[strawberry.ID] = strawberry.field(description="At most 100.")


@strawberry.type(description="The outcome of recording views or shares.")
class RecordPayload:
    subject: list[Commentable] | None = strawberry.field(name="targets", description="In the order they were named.")
    user_errors: list[UserError] = user_errors()


@strawberry.type
class RecordMutation:
    @strawberry.mutation(description="Counts a view of each target, once per viewer or device and hour.")
    async def record_views(self: Any, info: Info, input: RecordInput) -> RecordPayload | None:
        return await resolve.record(info.context, ViewOrShareKind.VIEW, input.target_ids)  # type: ignore[return-value]

    @strawberry.mutation(description="Counts a share of each target.")
    async def record_shares(self: Any, info: Info, input: RecordInput) -> RecordPayload | None:
        return await resolve.record(info.context, ViewOrShareKind.SHARE, input.target_ids)  # type: ignore[return-value]
