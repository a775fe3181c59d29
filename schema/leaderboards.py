"""The query `leaderboard`: the objects with the most likes in a period."""

from typing import Annotated, Any

import strawberry
from strawberry import UNSET

import resolvers.leaderboards as resolve
from loaders.leaderboards import LeaderboardWindow
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import BusinessName, First, Info, given
from schema.reactable import Reactable

describe_enum(
    LeaderboardWindow,
    "The period in which a leaderboard counts likes.",
    DAY="The current day: since 0 o'clock UTC.",
    WEEK="The current day (UTC) and the six days before it.",
    ALL="All likes, whenever they were given.",
)


@strawberry.type(description="A place on a leaderboard, with the object that has this place.")
class LeaderboardEntry:
    rank: int = strawberry.field(
        description="The number of this place: 1 for the object with the most likes, then 2, 3 … without gaps."
    )
    score: float = strawberry.field(
        description="The number of likes that the object received in the period, minus the likes that were withdrawn "
        "in the period. For a leaderboard of one kind of reaction, the number of reactions of this kind."
    )
    node: Reactable = strawberry.field(description="The object that has this place.")


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="The objects of a business (a kind of content) with the most likes in a period, most likes first. "
        "Kinds of reactions that count as a like are likes. Lists only objects with a `score` above 0 that all users "
        "can see. Fails with `BAD_INPUT` for an unknown business. Null only if `errors` has an error for it.",
        metadata=access(Rule.ALL),
    )
    async def leaderboard(
        self: Any,
        info: Info,
        business: BusinessName = "post",
        window: Annotated[
            LeaderboardWindow, strawberry.argument(description="The period in which likes are counted.")
        ] = LeaderboardWindow.DAY,
        first: First = 20,
        kind: Annotated[
            str | None,
            strawberry.argument(
                description="The name of a kind of reaction that the operator has configured for the business. The "
                "leaderboard then counts only reactions of this kind. Fails with `BAD_INPUT` for `like` and `dislike`, "
                "and for a kind that the business does not have."
            ),
        ] = UNSET,
    ) -> list[LeaderboardEntry] | None:
        return await resolve.leaderboard(info.context, business, window, first, given(kind))  # type: ignore[return-value]
