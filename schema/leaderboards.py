"""Leaderboards: what is liked most."""

from typing import Any

import strawberry

import resolvers.leaderboards as resolve
from loaders.leaderboards import LeaderboardWindow
from schema.fields import Info
from schema.interfaces import Reactable

strawberry.enum(LeaderboardWindow, description="Which likes count: today's in UTC, those of seven days, or all.")


@strawberry.type(description="A place on a leaderboard.")
class LeaderboardEntry:
    rank: int = strawberry.field(description="1 is first.")
    score: float = strawberry.field(description="Likes given in the window, less those taken back in it.")
    node: Reactable = strawberry.field(description="What is liked.")


@strawberry.type
class LeaderboardQuery:
    @strawberry.field(description="What is liked most in a business.")
    async def leaderboard(
        self: Any,
        info: Info,
        business: str = "post",
        window: LeaderboardWindow = LeaderboardWindow.DAY,
        first: int = 20,
    ) -> list[LeaderboardEntry] | None:
        return await resolve.leaderboard(info.context, business, window, first)  # type: ignore[return-value]
