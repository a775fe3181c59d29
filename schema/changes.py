"""What can be watched."""

from collections.abc import AsyncGenerator
from typing import Any

import strawberry

import resolvers.changes as resolve
from schema.batched import Info
from schema.likes import Reactable


@strawberry.type
class ChangeSubscription:
    @strawberry.subscription(
        description="Each of up to 100 things once at the beginning, then when its counts have changed: "
        "at most four times a second, and always after the last change."
    )
    async def reactable_changed(self: Any, info: Info, ids: list[strawberry.ID]) -> AsyncGenerator[Reactable | None]:
        return await resolve.reactable_changed(info.context, ids)  # type: ignore[return-value]
