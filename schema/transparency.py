"""The counts of transparency reports, and the query `transparency`."""

from datetime import datetime
from enum import Enum
from typing import Annotated, Any

import strawberry

import resolvers.transparency as resolve
from schema.access import Rule, access
from schema.enums import describe_enum
from schema.fields import Info
from schema.scalars import Count


class TransparencyUnit(Enum):
    """The unit of a count of a transparency report."""

    NUMBER = "number"
    SECONDS = "seconds"


describe_enum(
    TransparencyUnit,
    "The unit of a count of a transparency report.",
    NUMBER="A number of notices, decisions, appeals and so on.",
    SECONDS="A median of times in seconds, accurate to one percent.",
)


@strawberry.type(description="A count of a transparency report.")
class TransparencyCount:
    part: str = strawberry.field(description="The part of the report, such as `notices`.")
    indicator: str = strawberry.field(description="What is counted, such as `notices received`.")
    category: str = strawberry.field(
        description="The category, such as the name of a ground or a law that a person has named. Empty for a total."
    )
    value: Count | None = strawberry.field(description="The value. Null for a median of nothing.")

    @strawberry.field(description="The unit of the value.")
    def unit(self: Any) -> TransparencyUnit:
        return TransparencyUnit(self.unit)


@strawberry.type(description="The counts of a period for a transparency report.")
class Transparency:
    counts: list[TransparencyCount] = strawberry.field(description="The counts, in the order of the report.")
    csv: str = strawberry.field(
        description="The counts as CSV with a line of names, as `plaudit transparency` prints them. A category that a "
        "spreadsheet would read as a formula begins with an apostrophe."
    )


@strawberry.type
class QueryFields:
    @strawberry.field(
        description="Counts notices, reports, restrictions, statements of reasons, appeals and suspensions of a "
        "period, for a transparency report. Requires a role in moderation and a token without restriction to "
        "businesses. Fails with `BAD_INPUT` unless `to` is after `from` and at most 366 days later, and with "
        "`UNAVAILABLE` without `retryAfter` if the counting takes too long for one request. Null only if `errors` has "
        "an error for it.",
        metadata=access(Rule.ACCOUNT, personal=True),
    )
    async def transparency(
        self: Any,
        info: Info,
        since: Annotated[datetime, strawberry.argument(name="from", description="The beginning of the period.")],
        until: Annotated[
            datetime,
            strawberry.argument(name="to", description="The end of the period, which does not belong to it."),
        ],
    ) -> Transparency | None:
        return await resolve.counted(info.context, since, until)  # type: ignore[return-value]
