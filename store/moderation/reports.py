"""Rows of reports: one for each reporter and target, with the reporter's last report."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import text

from domain.moderation.reports import ReportReason, ReportStatus
from models.counters import EntityRef
from models.notices import NoticeRow
from models.reports import ReportRow
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_STORED = text("""
    SELECT r.business_id, r.entity_id, r.reporter_id, r.version, r.status, r.weight, r.network
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:reporters AS bigint[]))
         AS wanted(business_id, entity_id, reporter_id)
    JOIN reports r USING (business_id, entity_id, reporter_id)
    UNION
    SELECT r.business_id, r.entity_id, r.reporter_id, r.version, r.status, r.weight, r.network
    FROM unnest(CAST(:open_businesses AS smallint[]), CAST(:open_entities AS bigint[]))
         AS wanted(business_id, entity_id)
    JOIN reports r USING (business_id, entity_id)
    WHERE r.status = 0
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
""")
_CLOSE = text("""
    UPDATE reports r SET status = w.status
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:reporters AS bigint[]),
                CAST(:statuses AS smallint[]))
         AS w(business_id, entity_id, reporter_id, status)
    WHERE (r.business_id, r.entity_id, r.reporter_id) = (w.business_id, w.entity_id, w.reporter_id)
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
_REPORTERS = text(f"""
    SELECT DISTINCT r.reporter_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:statuses AS smallint[]),
                CAST(:versions AS bigint[]))
         AS w(business_id, entity_id, status, version)
    JOIN reports r USING (business_id, entity_id, status)
    WHERE r.status = {ReportStatus.MOOT:d} OR r.version < w.version
""")  # noqa: S608 - a constant
_REASONS = text("""
    SELECT r.business_id, r.entity_id, r.reason, count(*)
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN reports r USING (business_id, entity_id)
    WHERE r.status = 0
    GROUP BY 1, 2, 3 ORDER BY 4 DESC, 3
""")
_NEWEST = text("""
    SELECT business_id, entity_id, reporter_id, version, reason, note
    FROM (
        SELECT *, row_number() OVER (PARTITION BY business_id, entity_id ORDER BY version DESC) AS n FROM reports
        WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:entities AS bigint[]))
          AND status = 0
    ) AS r
    WHERE n <= :count ORDER BY business_id, entity_id, n
""")

Place = tuple[int, int, int]
"""The key of a report: the business of the target, the id of the target, and the id of the reporter."""


class NewReport(NamedTuple):
    """A report to store: who reports which target, why, and with which weight. `author_id` is the author or owner of
    the target, `version` the version of the report's journal entry, and `network` the network of the reporter's IP
    address.
    """

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
    """A stored report, without its author, reason and note. `network` is the network of the reporter's IP address."""

    version: int
    status: ReportStatus
    weight: int
    network: str | None

    @property
    def is_open(self) -> bool:
        """Returns whether no decision and no deletion has closed the report."""
        return self.status is ReportStatus.OPEN


class Closing(NamedTuple):
    """An event that closes the open reports and notices of the target `ref`: a moderator's decision, or the deletion
    of the target (status MOOT). They get the status `status`. `version` is the version of the decision or deletion,
    and `ground` the name of the ground that the decision names (None: none).
    """

    ref: EntityRef
    version: int
    status: ReportStatus
    reason: str = ""
    ground: str | None = None

    def closes(self, report: StoredReport | NoticeRow) -> bool:
        """Returns whether this decision or deletion closes a report or notice of the target. A deletion closes all open
        ones; a decision closes the open ones with lower versions than its own.
        """
        return report.is_open and (self.status is ReportStatus.MOOT or report.version < self.version)


Totals = Mapping[int, Mapping[ReportStatus, int]]
"""The number of reports by user and status."""


async def stored(
    transaction: Transaction, places: Iterable[Place], targets: Iterable[EntityRef]
) -> dict[EntityRef, dict[int, StoredReport]]:
    """Returns the stored reports with the keys `places`, and all open reports of `targets`: by target, then by the id
    of the reporter.
    """
    rows = await transaction.execute(
        _STORED,
        **columns(sorted(places), "businesses", "entities", "reporters"),
        **columns(sorted(targets), "open_businesses", "open_entities"),
    )
    found: dict[EntityRef, dict[int, StoredReport]] = {}
    for business, entity, reporter, version, status, *others in rows:
        of_target = found.setdefault(EntityRef(business, entity), {})
        of_target[reporter] = StoredReport(version, ReportStatus(status), *others)
    return found


async def write(transaction: Transaction, reports: Iterable[NewReport]) -> None:
    """Stores these reports as open. Each replaces the reporter's earlier report about the same target."""
    values = [(*one.ref, *one[1:]) for one in sorted(reports, key=lambda one: one.place)]
    names = "businesses", "entities", "reporters", "authors", "versions", "reasons", "notes", "weights", "networks"
    await transaction.execute(_WRITE, **columns(values, *names))


async def close(transaction: Transaction, statuses: Mapping[Place, ReportStatus]) -> None:
    """Sets the statuses of reports, given by their keys."""
    values = [(*place, int(status)) for place, status in sorted(statuses.items())]
    await transaction.execute(_CLOSE, **columns(values, "businesses", "entities", "reporters", "statuses"))


async def open_by_network(
    transaction: Transaction, places: Iterable[tuple[EntityRef, str]]
) -> dict[tuple[EntityRef, str], int]:
    """Returns the number of open reports for each of these pairs of target and network. Leaves out pairs without open
    reports.
    """
    values = sorted((*ref, network) for ref, network in places)
    rows = await transaction.execute(_NETWORKS, **columns(values, "businesses", "entities", "networks"))
    return {(EntityRef(business, entity), network): count for business, entity, network, count in rows}


async def made_in(transaction: Transaction, users: Iterable[int]) -> Totals:
    """Returns how many reports these users have made, by user and status, as a transaction sees them."""
    return _totals(await transaction.execute(_MADE, users=sorted(users)))


async def made(postgres: Postgres, users: Sequence[int]) -> Totals:
    """Returns how many reports these users have made, by user and status."""
    return _totals(await postgres.read(_MADE, users=users))


async def received(postgres: Postgres, users: Sequence[int]) -> Totals:
    """Returns how many reports there are about these users and their content, by user and status."""
    return _totals(await postgres.read(_RECEIVED, users=users))


async def reporters(postgres: Postgres, closings: Iterable[Closing]) -> set[int]:
    """Returns the ids of the users whose reports these decisions and deletions have closed. May also return users whose
    reports about the same target an earlier decision has closed with the same status, because a report does not say
    which decision has closed it.
    """
    values = sorted((*closing.ref, int(closing.status), closing.version) for closing in closings)
    rows = await postgres.read(_REPORTERS, **columns(values, "businesses", "entities", "statuses", "versions"))
    return {row.reporter_id for row in rows}


async def reasons(postgres: Postgres, refs: Sequence[EntityRef]) -> dict[EntityRef, list[tuple[ReportReason, int]]]:
    """Returns, by target, pairs (reason, number of open reports for this reason), most frequent reason first. Leaves
    out targets without open reports.
    """
    rows = await postgres.read(_REASONS, **columns(refs, "businesses", "entities"))
    return grouped((EntityRef(row[0], row[1]), (ReportReason(row[2]), row[3])) for row in rows)


async def newest(postgres: Postgres, refs: Sequence[EntityRef], count: int) -> dict[EntityRef, list[ReportRow]]:
    """Returns, by target, up to `count` open reports, newest first. Leaves out targets without open reports."""
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
