"""Views and shares: the two mutations that count them."""

from typing import Any

import strawberry

import resolvers.records as resolve
from schema.fields import Info
from schema.interfaces import Commentable
from schema.payloads import UserError, user_errors
from store.reactions.views_and_shares import ViewOrShareKind


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
