"""Leaderboards: the objects with the most likes."""

from typing import Annotated, Any

import strawberry

import resolvers.leaderboards as resolve
from loaders.leaderboards import LeaderboardWindow
from schema.enums import describe_enum
from schema.fields import BusinessName, First, Info
from schema.interfaces import Reactable

describe_enum(
    LeaderboardWindow,
    "The period whose likes a leaderboard counts.",
    DAY="The current day, in UTC.",
    WEEK="The last seven days in UTC, including the current day.",
    ALL="All time.",
)


@strawberry.type(description="A place on a leaderboard.")
class LeaderboardEntry:
    rank: int = strawberry.field(description="The rank of this place. The first place has the rank 1.")
    score: float = strawberry.field(
        description="The number of likes given in the window, minus the likes withdrawn in it."
    )
    node: Reactable = strawberry.field(description="The object at this place.")


@strawberry.type
class LeaderboardQuery:
    @strawberry.field(
        description="The objects of a business with the most likes in a window, best first. Fails with `BAD_INPUT` "
        "for an unknown business."
    )
    async def leaderboard(
        self: Any,
        info: Info,
        business: BusinessName = "post",
        window: Annotated[
            LeaderboardWindow, strawberry.argument(description="The period whose likes are counted.")
        ] = LeaderboardWindow.DAY,
        first: First = 20,
    ) -> list[LeaderboardEntry] | None:
        return await resolve.leaderboard(info.context, business, window, first)  # type: ignore[return-value]
