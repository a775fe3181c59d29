"""The query `rateLimit`: the cost of a request in points, and the points that are left in the caller's budget."""

from datetime import datetime
from typing import Any

import strawberry

import resolvers.limits as resolve
from schema.access import Rule, access
from schema.fields import Info


@strawberry.type(
    description="The cost of this request, and one of the budgets that pay for it. Costs and budgets are in points: "
    "about one point for each field of each object that the request may return. A request is charged to several "
    "budgets, such as those of the user and of the network address. Each budget is refilled continuously. This is the "
    "budget with the fewest points left."
)
class RateLimit:
    cost: int = strawberry.field(
        description="The cost of this request in points. It is calculated before the request is executed, from the "
        "fields and page sizes in the document."
    )
    limit: int = strawberry.field(description="The number of points in the budget when it is full.")
    remaining: int = strawberry.field(
        description="The number of points left in the budget after this request was charged."
    )
    reset_at: datetime = strawberry.field(
        description="The time when the budget will be full again, if no more points are spent."
    )


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The cost of this request in points, and the budget of the caller that has the fewest points "
        "left. If a budget has too few points, the whole request fails with `RATE_LIMITED`. Null only if `errors` has "
        "an error for it.",
        metadata=access(Rule.ALL, personal=True),
    )
    async def rate_limit(self: Any, info: Info) -> RateLimit | None:
        return await resolve.rate_limit(info.context)  # type: ignore[return-value]
