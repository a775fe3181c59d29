"""Rows of reports: one for each reporter and target, with the reporter's last report."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import text

from domain.moderation.reports import ReportReason, ReportStatus
from models.counters import EntityRef
from models.reports import ReportRow
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_STATUSES = text("""
    SELECT r.business_id, r.entity_id, r.reporter_id, r.version, r.status, r.weight, r.network
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:reporters AS bigint[]))
         AS wanted(business_id, entity_id, reporter_id)
    JOIN reports r USING (business_id, entity_id, reporter_id)
    ORDER BY r.business_id, r.entity_id, r.reporter_id FOR UPDATE OF r
""")
_WRITE = text("""
    INSERT INTO reports AS r
        (business_id, entity_id, reporter_id, author_id, version, reason, note, weight, network, status)
    SELECT *, 0 FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                            CAST(:reporters AS bigint[]), CAST(:authors AS bigint[]), CAST(:versions AS bigint[]),
                            CAST(:reasons AS smallint[]), CAST(:notes AS text[]), CAST(:weights AS smallint[]),
                            CAST(:networks AS text[]))
    ON CONFLICT (business_id, entity_id, reporter_id) DO UPDATE SET
        author_id = excluded.author_id, version = excluded.version, reason = excluded.reason, note = excluded.note,
        weight = excluded.weight, network = excluded.network, status = excluded.status
    WHERE excluded.version > r.version
""")
_OPEN = text("""
    SELECT r.business_id, r.entity_id, r.reporter_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN reports r USING (business_id, entity_id)
    WHERE r.status = 0
""")
_CLOSE = text("""
    WITH open AS (
        SELECT r.business_id, r.entity_id, r.reporter_id, wanted.status
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:statuses AS smallint[]),
                    CAST(:versions AS bigint[]))
             AS wanted(business_id, entity_id, status, version)
        JOIN reports r USING (business_id, entity_id)
        WHERE r.status = 0 AND r.version < wanted.version
        ORDER BY r.business_id, r.entity_id, r.reporter_id FOR UPDATE OF r
    )
    UPDATE reports r SET status = open.status FROM open
    WHERE (r.business_id, r.entity_id, r.reporter_id) = (open.business_id, open.entity_id, open.reporter_id)
    RETURNING r.business_id, r.entity_id, r.reporter_id, r.weight
""")
_NETWORKS = text("""
    SELECT wanted.business_id, wanted.entity_id, wanted.network, count(r.reporter_id)
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:networks AS text[]))
         AS wanted(business_id, entity_id, network)
    JOIN reports r USING (business_id, entity_id, network)
    WHERE r.status = 0
    GROUP BY 1, 2, 3
""")
_MADE = text("""
    SELECT reporter_id, status, count(*) FROM reports
    WHERE reporter_id = ANY(CAST(:users AS bigint[])) GROUP BY 1, 2
""")
_RECEIVED = text("""
    SELECT author_id, status, count(*) FROM reports WHERE author_id = ANY(CAST(:users AS bigint[])) GROUP BY 1, 2
""")
_REPORTERS = text("""
    SELECT DISTINCT r.reporter_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN reports r USING (business_id, entity_id)
""")
_REASONS = text("""
    SELECT r.business_id, r.entity_id, r.reason, count(*)
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN reports r USING (business_id, entity_id)
    WHERE r.status = 0
    GROUP BY 1, 2, 3 ORDER BY 4 DESC, 3
""")
_NEWEST = text("""
    SELECT wanted.business_id, wanted.entity_id, r.reporter_id, r.version, r.reason, r.note
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    CROSS JOIN LATERAL (
        SELECT * FROM reports WHERE business_id = wanted.business_id AND entity_id = wanted.entity_id AND status = 0
        ORDER BY version DESC LIMIT :count
    ) AS r
""")

Place = tuple[int, int, int]
"""The key of a report: business and id of the target, and the reporter."""


class NewReport(NamedTuple):
    """A report to store."""

    ref: EntityRef
    reporter_id: int
    author_id: int | None
    version: int
    reason: ReportReason
    note: str | None
    weight: int
    network: str | None

    @property
    def place(self) -> Place:
        """Returns the key of the report."""
        return (*self.ref, self.reporter_id)


class StoredReport(NamedTuple):
    """What a batch must know of a stored report."""

    version: int
    status: ReportStatus
    weight: int
    network: str | None


class ClosedReport(NamedTuple):
    """A report that a decision has closed."""

    ref: EntityRef
    reporter_id: int
    weight: int


Totals = Mapping[int, Mapping[ReportStatus, int]]
"""The number of reports by user and status."""


async def lock(
    transaction: Transaction, places: Iterable[Place], targets: Iterable[EntityRef]
) -> dict[Place, StoredReport]:
    """Locks and returns the stored reports with these keys, and all open reports of these targets, in order."""
    if refs := sorted(targets):
        found = await transaction.execute(_OPEN, **columns(refs, "businesses", "entities"))
        places = {*places, *((row[0], row[1], row[2]) for row in found)}
    rows = await transaction.execute(_STATUSES, **columns(sorted(places), "businesses", "entities", "reporters"))
    return {(row[0], row[1], row[2]): StoredReport(row.version, ReportStatus(row.status), *row[5:]) for row in rows}


async def write(transaction: Transaction, reports: Iterable[NewReport]) -> None:
    """Stores open reports, of which each replaces the reporter's last report about the target."""
    values = [(*one.ref, *one[1:]) for one in sorted(reports, key=lambda one: one.place)]
    names = "businesses", "entities", "reporters", "authors", "versions", "reasons", "notes", "weights", "networks"
    await transaction.execute(_WRITE, **columns(values, *names))


async def close(
    transaction: Transaction, decisions: Mapping[EntityRef, tuple[ReportStatus, int]]
) -> list[ClosedReport]:
    """Closes the open reports of these targets that are older than a version. The values are the new status and this
    version. Returns the reports that were closed.
    """
    values = [(*ref, int(status), version) for ref, (status, version) in sorted(decisions.items())]
    rows = await transaction.execute(_CLOSE, **columns(values, "businesses", "entities", "statuses", "versions"))
    return [ClosedReport(EntityRef(business, entity), reporter, weight) for business, entity, reporter, weight in rows]


async def open_by_network(
    transaction: Transaction, places: Iterable[tuple[EntityRef, str]]
) -> dict[tuple[EntityRef, str], int]:
    """Returns the number of open reports by target and network."""
    values = sorted((*ref, network) for ref, network in places)
    rows = await transaction.execute(_NETWORKS, **columns(values, "businesses", "entities", "networks"))
    return {(EntityRef(business, entity), network): count for business, entity, network, count in rows}


async def made_in(transaction: Transaction, users: Iterable[int]) -> Totals:
    """Returns how many reports these users have made, by status."""
    return _totals(await transaction.execute(_MADE, users=sorted(users)))


async def made(postgres: Postgres, users: Sequence[int]) -> Totals:
    """Returns how many reports these users have made, by status."""
    return _totals(await postgres.read(_MADE, users=users))


async def received(postgres: Postgres, users: Sequence[int]) -> Totals:
    """Returns how many reports there are about these users and their content, by status."""
    return _totals(await postgres.read(_RECEIVED, users=users))


async def reporters(postgres: Postgres, refs: Iterable[EntityRef]) -> set[int]:
    """Returns the users who have reported one of these targets."""
    rows = await postgres.read(_REPORTERS, **columns(sorted(refs), "businesses", "entities"))
    return {row.reporter_id for row in rows}


async def reasons(postgres: Postgres, refs: Sequence[EntityRef]) -> dict[EntityRef, list[tuple[ReportReason, int]]]:
    """Returns the number of open reports of these targets by reason, most frequent first."""
    rows = await postgres.read(_REASONS, **columns(refs, "businesses", "entities"))
    return grouped((EntityRef(row[0], row[1]), (ReportReason(row[2]), row[3])) for row in rows)


async def newest(postgres: Postgres, refs: Sequence[EntityRef], count: int) -> dict[EntityRef, list[ReportRow]]:
    """Returns up to `count` newest open reports of each of these targets."""
    rows = await postgres.read(_NEWEST, count=count, **columns(refs, "businesses", "entities"))
    return grouped(
        (EntityRef(business, entity), ReportRow(reporter, version, ReportReason(reason), note))
        for business, entity, reporter, version, reason, note in rows
    )


def _totals(rows: Iterable[Sequence[int]]) -> Totals:
    found: dict[int, dict[ReportStatus, int]] = {}
    for user, status, count in rows:
        found.setdefault(user, {})[ReportStatus(status)] = count
    return found
