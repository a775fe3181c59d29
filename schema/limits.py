"""Rate limits: the cost of a request, and what is left of the caller's budget."""

from datetime import datetime
from typing import Any

import strawberry

import resolvers.limits as resolve
from schema.fields import PERSONAL, Info


@strawberry.type(
    description="The cost of a request and the rate-limit budget that limits it. A request costs about one point for "
    "each field of each object that it may return. Several budgets are charged; this is the one with the fewest "
    "requests left."
)
class RateLimit:
    cost: int = strawberry.field(description="The cost of this request in points, calculated before it is executed.")
    limit: int = strawberry.field(description="The number of points that the budget holds when it is full.")
    remaining: int = strawberry.field(description="The number of points that are left in the budget.")
    reset_at: datetime = strawberry.field(
        description="The time when the budget will be full again, if no more points are spent."
    )


@strawberry.type
class LimitQuery:
    @strawberry.field(
        description="The cost of this request and the state of the rate-limit budget that limits it. Fails with "
        "`RATE_LIMITED` if the budget has too few points.",
        metadata=PERSONAL,
    )
    async def rate_limit(self: Any, info: Info) -> RateLimit | None:
        return await resolve.rate_limit(info.context)  # type: ignore[return-value]
