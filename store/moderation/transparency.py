"""Counts for transparency reports: notices, reports and appeals of a period, as aggregates that need little memory.

Times are counted in buckets, each one percent longer than the one before, so a median is accurate to one percent.
"""

import math
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping
from datetime import datetime
from typing import NamedTuple, Self

from sqlalchemy import text

from domain.moderation.appeals import AppealStatus
from domain.moderation.reports import ReportReason, ReportStatus
from domain.moderation.statements import Restriction
from domain.versions import moment_at, version_at, version_ms
from models.counters import EntityRef
from models.moderation_log import LogRow
from store.moderation import log
from store.postgres.client import Postgres
from store.postgres.columns import columns

_STEP = math.log(1.01)
_MOST_LAWS = 200
"""How many laws are counted one by one: those with the most notices."""
_LAWS = text(f"""
    SELECT law, count(*) AS received, count(*) FILTER (WHERE trusted) AS trusted,
           count(*) FILTER (WHERE status = {ReportStatus.ACCEPTED:d}) AS accepted
    FROM notices WHERE version >= :since AND version < :until
    GROUP BY law ORDER BY received DESC, law LIMIT {_MOST_LAWS}
""")  # noqa: S608 - constants
_NOTICES = text(f"""
    SELECT trusted, status,
           CASE WHEN status IN ({ReportStatus.ACCEPTED:d}, {ReportStatus.DISMISSED:d}) THEN
               floor(ln(greatest((decided >> 10) - (version >> 20), 1000) / 1000.0) / {_STEP})::integer END AS bucket,
           count(*) AS count
    FROM notices WHERE version >= :since AND version < :until
    GROUP BY 1, 2, 3
""")  # noqa: S608 - constants
_REPORTS = text("""
    SELECT reason, status, count(*) FROM reports WHERE version >= :since AND version < :until GROUP BY 1, 2
""")
_APPEALS = text("SELECT status, count(*) FROM appeals WHERE version >= :since AND version < :until GROUP BY 1")
_OF_STATEMENTS = text(f"""
    SELECT appeal_status, count(*) FROM statements
    WHERE appeal_version >= :since AND appeal_version < :until AND restriction <> {Restriction.REJECTED:d} GROUP BY 1
""")  # noqa: S608 - a constant
_GROUNDS = text("""
    SELECT restriction, ground, automated, count(*) FROM statements
    WHERE moment >= :since AND moment < :until GROUP BY 1, 2, 3
""")
_APPEALED = text("""
    SELECT a.business_id, a.entity_id, a.version
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN appeals a USING (business_id, entity_id)
""")


class Period(NamedTuple):
    """A span of time in milliseconds since the Unix epoch. The end does not belong to it."""

    since_ms: int
    until_ms: int

    @classmethod
    def between(cls, since: datetime, until: datetime) -> Self:
        """Returns the period from `since` until `until`, which does not belong to it."""
        return cls(round(since.timestamp() * 1000), round(until.timestamp() * 1000))

    @property
    def versions(self) -> dict[str, int]:
        """Returns the versions of changes in the period, as parameters of a statement."""
        return {"since": version_at(self.since_ms), "until": version_at(self.until_ms)}


class Durations:
    """Times whose median is wanted. Keeps the number of times in each bucket, and no single time."""

    def __init__(self) -> None:
        self._buckets = Counter[int]()

    def add(self, seconds: float) -> None:
        """Adds a time. A time of less than a second counts as a second."""
        self.add_bucket(math.floor(math.log(max(seconds, 1)) / _STEP), 1)

    def add_bucket(self, bucket: int, count: int) -> None:
        """Adds `count` times of a bucket."""
        self._buckets[bucket] += count

    @property
    def median(self) -> int | None:
        """Returns the median in seconds, accurate to one percent; None without any time."""
        left = (self._buckets.total() + 1) // 2
        for bucket, count in sorted(self._buckets.items()):
            left -= count
            if left <= 0:
                return round(math.exp((bucket + 0.5) * _STEP))
        return None


class LawCount(NamedTuple):
    """The notices that name one law: how many were received, how many of these by trusted flaggers, and how many were
    accepted.
    """

    law: str
    received: int
    trusted: int
    accepted: int


class NoticeCounts(NamedTuple):
    """The notices of a period. `by_state` has their number by whether a trusted flagger sent them and by state.
    `durations` has the times from receipt to decision of all notices, `trusted_durations` those of notices of trusted
    flaggers. `laws` has the laws with the most notices.
    """

    by_state: Mapping[tuple[bool, ReportStatus], int]
    durations: Durations
    trusted_durations: Durations
    laws: list[LawCount]


async def notices(postgres: Postgres, period: Period) -> NoticeCounts:
    """Returns the counts of the notices that were received in a period, with their states now."""
    by_state = Counter[tuple[bool, ReportStatus]]()
    durations, of_trusted = Durations(), Durations()
    for trusted, status, bucket, count in await postgres.read(_NOTICES, **period.versions):
        by_state[trusted, ReportStatus(status)] += count
        if bucket is not None:
            durations.add_bucket(bucket, count)
            if trusted:
                of_trusted.add_bucket(bucket, count)
    laws = [LawCount(*row) for row in await postgres.read(_LAWS, **period.versions)]
    return NoticeCounts(by_state, durations, of_trusted, laws)


async def reports(postgres: Postgres, period: Period) -> dict[tuple[ReportReason, ReportStatus], int]:
    """Returns the number of reports that were made in a period, by reason and state. Of each reporter and target, the
    last report counts.
    """
    rows = await postgres.read(_REPORTS, **period.versions)
    return {(ReportReason(reason), ReportStatus(status)): count for reason, status, count in rows}


async def appeals(postgres: Postgres, period: Period) -> dict[AppealStatus, int]:
    """Returns the number of appeals that were made in a period, by state. Of each post or comment, the last appeal
    counts.
    """
    made = Counter[AppealStatus]()
    for statement in (_APPEALS, _OF_STATEMENTS):
        for status, count in await postgres.read(statement, **period.versions):
            made[AppealStatus(status)] += count
    return made


async def statements(postgres: Postgres, period: Period) -> dict[tuple[Restriction, str, bool], int]:
    """Returns the number of statements of reasons about decisions of a period, by restriction, name of the ground, and
    whether the decision was automated.
    """
    moments = {"since": moment_at(period.since_ms), "until": moment_at(period.until_ms)}
    rows = await postgres.read(_GROUNDS, **moments)
    return {(Restriction(number), ground, automated): count for number, ground, automated, count in rows}


async def appealed_ms(postgres: Postgres, refs: Iterable[EntityRef]) -> dict[EntityRef, int]:
    """Returns when the last appeal about each of these posts and comments was made, in milliseconds since the Unix
    epoch.
    """
    rows = await postgres.read(_APPEALED, **columns(sorted(refs), "businesses", "entities"))
    return {EntityRef(business, entity): version_ms(version) for business, entity, version in rows}


async def decisions(postgres: Postgres, period: Period) -> AsyncIterator[LogRow]:
    """Yields the lines of the moderation log of a period, oldest first. Lines of one decision have one moment, so they
    follow each other.
    """
    until = moment_at(period.until_ms)
    async for row in log.export(postgres, moment_at(period.since_ms)):
        if row.moment >= until:
            return
        yield row
