"""Views, shares, and actions that businesses define: the mutations that record them."""

from typing import Any

import strawberry
from strawberry import UNSET

import resolvers.actions as resolve
from schema.fields import Info, given
from schema.interfaces import Commentable
from schema.payloads import UserError, user_errors
from store.reactions.actions import SHARED, VIEWED

_KEY = (
    "A key that you choose for this change, at most 128 characters. A request that repeats the key and the input "
    "within 24 hours gets the same result, and does not count again."
)


@strawberry.input(description="The input of `recordViews` and `recordShares`.")
class RecordInput:
    target_ids: list[strawberry.ID] = strawberry.field(description="The ids of 1 to 100 posts or entities.")
    idempotency_key: str | None = strawberry.field(default=UNSET, description=_KEY)


@strawberry.input(description="The input of `recordActions`.")
class RecordActionsInput:
    target_ids: list[strawberry.ID] = strawberry.field(
        description="The ids of 1 to 100 posts, or of 1 to 100 entities of one business."
    )
    action: str = strawberry.field(
        description="The name of a counter that the operator has defined for this kind of content, such as `plays`."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=_KEY)


@strawberry.type(description="The result of `recordViews`, `recordShares` and `recordActions`.")
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
        "count once. Requires a signed-in user or the header `X-Device-Id`. User errors: "
        "`TARGET_NOT_FOUND`, `IDEMPOTENCY_MISMATCH`."
    )
    async def record_views(self: Any, info: Info, input: RecordInput) -> RecordPayload | None:
        key = given(input.idempotency_key)
        return await resolve.record(info.context, VIEWED, input.target_ids, key)  # type: ignore[return-value]

    @strawberry.mutation(
        description="Counts one share of each target. Requires a signed-in user or the header `X-Device-Id`. User "
        "errors: `TARGET_NOT_FOUND`, `IDEMPOTENCY_MISMATCH`."
    )
    async def record_shares(self: Any, info: Info, input: RecordInput) -> RecordPayload | None:
        key = given(input.idempotency_key)
        return await resolve.record(info.context, SHARED, input.target_ids, key)  # type: ignore[return-value]

    @strawberry.mutation(
        description="Counts one action on each target, on a counter that the operator has defined for this kind of "
        "content. Some counters count once per target, user or device, and hour. Requires a signed-in user or the "
        "header `X-Device-Id`. User errors: `TARGET_NOT_FOUND`, `ACTION_UNKNOWN`, `IDEMPOTENCY_MISMATCH`. Fails with "
        "`BAD_INPUT` for targets of several businesses."
    )
    async def record_actions(self: Any, info: Info, input: RecordActionsInput) -> RecordPayload | None:
        key = given(input.idempotency_key)
        return await resolve.record(info.context, input.action, input.target_ids, key)  # type: ignore[return-value]
