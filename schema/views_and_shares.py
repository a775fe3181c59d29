"""Views and shares: the two mutations that count them."""

from typing import Any

import strawberry

import resolvers.views_and_shares as resolve
from schema.fields import Info
from schema.interfaces import Commentable
from schema.payloads import UserError, user_errors
from store.reactions.views_and_shares import ViewOrShareKind


@strawberry.input(description="The input of `recordViews` and `recordShares`.")
class RecordInput:
    target_ids: list[strawberry.ID] = strawberry.field(description="The ids of 1 to 100 posts or entities.")


@strawberry.type(description="The result of `recordViews` and `recordShares`.")
class RecordPayload:
    subject: list[Commentable] | None = strawberry.field(
        name="targets",
        description="The posts and entities, in the order of the input. Null if `userErrors` is not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class RecordMutation:
    @strawberry.mutation(
        description="Counts one view of each target. Views of a target by one user or device within the same hour "
        "count once. Requires a signed-in user or the header `X-Device-Id`. User error: "
        "`TARGET_NOT_FOUND`."
    )
    async def record_views(self: Any, info: Info, input: RecordInput) -> RecordPayload | None:
        return await resolve.record(info.context, ViewOrShareKind.VIEW, input.target_ids)  # type: ignore[return-value]

    @strawberry.mutation(
        description="Counts one share of each target. Requires a signed-in user or the header `X-Device-Id`. User "
        "error: `TARGET_NOT_FOUND`."
    )
    async def record_shares(self: Any, info: Info, input: RecordInput) -> RecordPayload | None:
        return await resolve.record(info.context, ViewOrShareKind.SHARE, input.target_ids)  # type: ignore[return-value]
