"""What requests cost, as they are told themselves."""

from datetime import datetime
from typing import Any

import strawberry

import resolvers.limits as resolve
from schema.fields import PERSONAL, Info


@strawberry.type(description="A budget of points. A field costs one point for each object it is asked of.")
class RateLimit:
    cost: int = strawberry.field(description="What this request cost, told before it ran.")
    limit: int = strawberry.field(description="The points that the budget holds when it is full.")
    remaining: int = strawberry.field(description="Those left: of the caller's budgets, in the one with the fewest.")
    reset_at: datetime = strawberry.field(description="When it will be full again, if nothing else is spent.")


@strawberry.type
class LimitQuery:
    @strawberry.field(description="The price of this request and what is left to spend.", metadata=PERSONAL)
    async def rate_limit(self: Any, info: Info) -> RateLimit | None:
        return await resolve.rate_limit(info.context)  # type: ignore[return-value]
