"""The mutations that record views, shares, and the actions for which businesses define counters."""

from typing import Any

import strawberry
from strawberry import UNSET

from commands import actions as commands
from domain.idempotency import ANONYMOUS_LIFE_HOURS
from models.actions import SHARED, VIEWED
from schema.access import Rule, access
from schema.fields import Info, given
from schema.interfaces import Commentable
from schema.payloads import WHILE_KNOWN, UserError, key_description, payload, user_errors

_KEY = key_description(
    "change",
    f"{WHILE_KNOWN}, without a token within {ANONYMOUS_LIFE_HOURS} hour, nothing is counted twice, and the response "
    "has the same user errors",
)


@strawberry.input(description="The input of `recordViews` and `recordShares`.")
class RecordInput:
    target_ids: list[strawberry.ID] = strawberry.field(
        description="The ids of 1 to 100 posts and entities. An id that occurs twice counts once."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=_KEY)


@strawberry.input(description="The input of `recordActions`.")
class RecordActionsInput:
    target_ids: list[strawberry.ID] = strawberry.field(
        description="The ids of 1 to 100 posts, or of 1 to 100 entities of one business (one kind of content). An id "
        "that occurs twice counts once."
    )
    action: str = strawberry.field(
        description="The name of a counter that the operator of this deployment has defined for this kind of content, "
        "such as `plays`."
    )
    idempotency_key: str | None = strawberry.field(default=UNSET, description=_KEY)


@strawberry.type(description="The result of `recordViews`, `recordShares` and `recordActions`.")
class RecordPayload:
    subject: list[Commentable] | None = strawberry.field(
        name="targets",
        description="The posts and entities in the order of the input, with the new counts. Null if `userErrors` is "
        "not empty.",
    )
    user_errors: list[UserError] = user_errors()


@strawberry.type
class MutationFields:
    @strawberry.mutation(
        description="Counts one view of each post or entity. Several views by one user or device within the same "
        "clock hour (UTC) count once. Views by anonymous devices beyond a limit are accepted and not counted. Fails "
        "with `UNAUTHENTICATED` if no user is signed in and the header `X-Device-Id` is missing. User errors: "
        "`TARGET_NOT_FOUND`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="actions"),
    )
    async def record_views(self: Any, info: Info, input: RecordInput) -> RecordPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.record(info.context, VIEWED, input.target_ids, key))

    @strawberry.mutation(
        description="Counts one share of each post or entity. Shares by anonymous devices beyond a limit are accepted "
        "and not counted. Fails with `UNAUTHENTICATED` if no user is signed in and the header `X-Device-Id` is "
        "missing. User errors: `TARGET_NOT_FOUND`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="actions"),
    )
    async def record_shares(self: Any, info: Info, input: RecordInput) -> RecordPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.record(info.context, SHARED, input.target_ids, key))

    @strawberry.mutation(
        description="Adds one to a counter of each post or entity. The operator of this deployment defines the "
        "counters. Some of them count a user or device at most once in a clock hour (UTC). Actions by anonymous "
        "devices beyond a limit are accepted and not counted. Fails with `BAD_INPUT` for objects of several "
        "businesses (kinds of content), and with `UNAUTHENTICATED` if no user is signed in and the header "
        "`X-Device-Id` is missing. User errors: `TARGET_NOT_FOUND`, `ACTION_UNKNOWN`, `IDEMPOTENCY_MISMATCH`.",
        metadata=access(Rule.TARGET, writes="actions"),
    )
    async def record_actions(self: Any, info: Info, input: RecordActionsInput) -> RecordPayload | None:
        key = given(input.idempotency_key)
        return await payload(commands.record(info.context, input.action, input.target_ids, key))
