"""Rows of notices, which people without an account send about content that they think is illegal."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import text

from domain.moderation.reports import ReportStatus
from domain.notice_numbers import NoticePlace
from models.counters import EntityRef
from models.notices import NoticeRow
from store.groups import grouped
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

_COLUMNS = (
    "business_id, entity_id, notice_id, version, law, explanation, name, email, trusted, status, decided, decision"
)
_PLACES = "unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:notices AS bigint[]))"
_STORED = text(f"""
    SELECT {", ".join(f"n.{name}" for name in _COLUMNS.split(", "))}
    FROM {_PLACES} AS wanted(business_id, entity_id, notice_id)
    JOIN notices n USING (business_id, entity_id, notice_id)
    UNION
    SELECT {", ".join(f"n.{name}" for name in _COLUMNS.split(", "))}
    FROM unnest(CAST(:open_businesses AS smallint[]), CAST(:open_entities AS bigint[]))
         AS wanted(business_id, entity_id)
    JOIN notices n USING (business_id, entity_id)
    WHERE n.status = 0
""")  # noqa: S608 - constants
_ADD = text(f"""
    INSERT INTO notices ({_COLUMNS})
    SELECT * FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:notices AS bigint[]),
                         CAST(:versions AS bigint[]), CAST(:laws AS text[]), CAST(:explanations AS text[]),
                         CAST(:names AS text[]), CAST(:emails AS text[]), CAST(:trusted AS boolean[]),
                         CAST(:statuses AS smallint[]), CAST(:decided AS bigint[]), CAST(:decisions AS text[]))
    ON CONFLICT DO NOTHING
""")  # noqa: S608 - constants
_CLOSE = text("""
    UPDATE notices n SET status = w.status, decided = w.decided, decision = w.decision
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:notices AS bigint[]),
                CAST(:statuses AS smallint[]), CAST(:decided AS bigint[]), CAST(:decisions AS text[]))
         AS w(business_id, entity_id, notice_id, status, decided, decision)
    WHERE (n.business_id, n.entity_id, n.notice_id) = (w.business_id, w.entity_id, w.notice_id)
""")
_READ = text(f"""
    SELECT {_COLUMNS} FROM notices WHERE (business_id, entity_id, notice_id) = (:business, :entity, :notice)
""")  # noqa: S608 - constants
_NEWEST = text(f"""
    SELECT {_COLUMNS} FROM (
        SELECT *, row_number() OVER (PARTITION BY business_id, entity_id ORDER BY trusted DESC, version DESC) AS n
        FROM notices
        WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND entity_id = ANY(CAST(:entities AS bigint[]))
          AND status = 0
    ) AS ranked
    WHERE n <= :count ORDER BY business_id, entity_id, n
""")  # noqa: S608 - constants


class ClosedNotice(NamedTuple):
    """What closes a notice: the new status, the moment, and the reason of the moderator; None if there is no reason."""

    status: ReportStatus
    decided: int
    decision: str | None


async def stored(
    transaction: Transaction, places: Iterable[NoticePlace], targets: Iterable[EntityRef]
) -> dict[EntityRef, dict[int, NoticeRow]]:
    """Returns the stored notices with these keys, and all open notices about `targets`: by target, then by id."""
    rows = await transaction.execute(
        _STORED,
        **columns(sorted(places), "businesses", "entities", "notices"),
        **columns(sorted(targets), "open_businesses", "open_entities"),
    )
    found: dict[EntityRef, dict[int, NoticeRow]] = {}
    for row in map(_row, rows):
        found.setdefault(row.ref, {})[row.notice_id] = row
    return found


async def add(transaction: Transaction, rows: Iterable[NoticeRow]) -> None:
    """Stores new notices. Leaves those that are stored as they are."""
    values = [(*row.ref, *row[1:8], int(row.status), row.decided, row.decision) for row in sorted(rows)]
    names = "businesses", "entities", "notices", "versions", "laws", "explanations", "names", "emails", "trusted"
    await transaction.execute(_ADD, **columns(values, *names, "statuses", "decided", "decisions"))


async def close(transaction: Transaction, closed: Mapping[NoticePlace, ClosedNotice]) -> None:
    """Closes notices, given by their keys."""
    values = [(*place, int(how.status), how.decided, how.decision) for place, how in sorted(closed.items())]
    names = "businesses", "entities", "notices", "statuses", "decided", "decisions"
    await transaction.execute(_CLOSE, **columns(values, *names))


async def by_place(postgres: Postgres, place: NoticePlace) -> NoticeRow | None:
    """Returns a notice; None if there is none with this key."""
    business, entity, notice = place
    return next(map(_row, await postgres.read(_READ, business=business, entity=entity, notice=notice)), None)


async def newest(postgres: Postgres, refs: Sequence[EntityRef], count: int) -> dict[EntityRef, list[NoticeRow]]:
    """Returns, by target, up to `count` open notices: those of trusted flaggers first, then the newest first. Leaves
    out targets without open notices.
    """
    rows = await postgres.read(_NEWEST, count=count, **columns(refs, "businesses", "entities"))
    return grouped((row.ref, row) for row in map(_row, rows))


def _row(row: Iterable[Any]) -> NoticeRow:
    business, entity, notice, version, law, explanation, name, email, trusted, status, decided, decision = row
    return NoticeRow(
        *(EntityRef(business, entity), notice, version, law, explanation, name, email, trusted),
        *(ReportStatus(status), decided, decision),
    )
