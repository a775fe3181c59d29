"""The moderation queue: one case for each post, comment, user or entity that has ever waited for a moderator."""

from collections.abc import Collection, Iterable, Mapping
from enum import Enum
from typing import Any, NamedTuple

from sqlalchemy import text

from domain.moderation.reports import CaseSource
from models.counters import EntityRef
from models.reports import CaseRow
from store.cache.lists import Item
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns

ANY_SOURCE = CaseSource.RULES | CaseSource.WORDS | CaseSource.REVIEWER | CaseSource.REPORTS
_COLUMNS = "business_id, entity_id, about, author_id, moment, sources, reports, weight"
_ADD = text("""
    INSERT INTO cases (business_id, entity_id, about, author_id, moment, sources, reports, weight)
    SELECT business_id, entity_id, about, author_id, 0, 0, 0, 0
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:about AS smallint[]),
                CAST(:authors AS bigint[]), CAST(:needed AS boolean[]))
         AS w(business_id, entity_id, about, author_id, needed)
    WHERE needed OR EXISTS (
        SELECT FROM reports r WHERE r.business_id = w.business_id AND r.entity_id = w.entity_id AND r.status = 0
    )
    ORDER BY business_id, entity_id
    ON CONFLICT DO NOTHING
""")
_LOCK = text("""
    SELECT c.business_id, c.entity_id, c.about, c.author_id, c.moment, c.sources, c.reports, c.weight
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN cases c USING (business_id, entity_id)
    ORDER BY c.business_id, c.entity_id FOR UPDATE OF c
""")
_UPDATE = text("""
    UPDATE cases c SET author_id = w.author_id, moment = w.moment, sources = w.sources, reports = w.reports,
                       weight = w.weight
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]), CAST(:authors AS bigint[]),
                CAST(:moments AS bigint[]), CAST(:sources AS smallint[]), CAST(:reports AS integer[]),
                CAST(:weights AS bigint[]))
         AS w(business_id, entity_id, author_id, moment, sources, reports, weight)
    WHERE (c.business_id, c.entity_id) = (w.business_id, w.entity_id)
""")
_WANTED = """sources <> 0 AND business_id = ANY(CAST(:businesses AS smallint[]))
      AND about = coalesce(CAST(:about AS smallint), about) AND sources & :sources <> 0
      AND author_id IS DISTINCT FROM CAST(:moderator AS bigint)"""
_OLDEST = text(f"""
    SELECT {_COLUMNS} FROM cases WHERE {_WANTED} AND (moment, entity_id) > (:place, :member)
    ORDER BY moment, entity_id LIMIT :count
""")  # noqa: S608 - constants
_NEWEST = text(f"""
    SELECT {_COLUMNS} FROM cases WHERE {_WANTED} AND (moment, entity_id) < (:place, :member)
    ORDER BY moment DESC, entity_id DESC LIMIT :count
""")  # noqa: S608 - constants
_MOST_REPORTED = text(f"""
    SELECT {_COLUMNS} FROM cases WHERE {_WANTED} AND (weight, entity_id) < (:place, :member)
    ORDER BY weight DESC, entity_id DESC LIMIT :count
""")  # noqa: S608 - constants
_LAST = (1 << 63) - 1


class CaseOrder(Enum):
    """The order of the moderation queue."""

    OLDEST = "oldest"
    NEWEST = "newest"
    MOST_REPORTED = "most reported"


_PAGES = {
    CaseOrder.OLDEST: (_OLDEST, Item(0, 0)),
    CaseOrder.NEWEST: (_NEWEST, Item(_LAST, _LAST)),
    CaseOrder.MOST_REPORTED: (_MOST_REPORTED, Item(_LAST, _LAST)),
}
"""The statement that reads a page, and the place before the first page."""


class CaseFilter(NamedTuple):
    """Selects cases of the moderation queue."""

    businesses: Collection[int]
    """The businesses of targets: of posts, of comments, of users, and external ones for entities."""
    about: int | None = None
    """The business that posts, comments and entities are about; None for all."""
    sources: CaseSource = ANY_SOURCE
    """Cases with at least one of these sources."""
    moderator: int | None = None
    """The moderator, whose own content and profile are left out."""


class Target(NamedTuple):
    """What a case must know of its target."""

    about: int
    """The business of the subject for a comment, otherwise the business of the target."""
    author_id: int | None
    needs_case: bool
    """Whether the target gets a case if it has none."""


async def lock(transaction: Transaction, targets: Mapping[EntityRef, Target]) -> dict[EntityRef, CaseRow]:
    """Locks the cases of these targets until the transaction ends, and returns them. Adds cases, without a source, for
    targets that need one, and for targets with open reports. Other targets may have no case.

    Transactions lock posts, then comments, then cases, each in the order of their ids, against deadlocks. A transaction
    that reads reports in order to change them has locked the cases of their targets. So reports need no other lock.
    """
    ordered = sorted(targets.items())
    names = "businesses", "entities", "about", "authors", "needed"
    await transaction.execute(_ADD, **columns([(*ref, *target) for ref, target in ordered], *names))
    rows = await transaction.execute(_LOCK, **columns([ref for ref, _ in ordered], "businesses", "entities"))
    return {row.ref: row for row in map(_row, rows)}


async def write(transaction: Transaction, rows: Iterable[CaseRow]) -> None:
    """Writes these cases, which must be locked."""
    values = [(*row.ref, row.author_id, row.moment, int(row.sources), row.reports, row.weight) for row in sorted(rows)]
    names = "businesses", "entities", "authors", "moments", "sources", "reports", "weights"
    await transaction.execute(_UPDATE, **columns(values, *names))


async def page(
    postgres: Postgres, wanted: CaseFilter, order: CaseOrder, after: Item | None, count: int
) -> list[CaseRow]:
    """Returns up to `count` open cases in this order, beginning after the item `after`."""
    statement, first = _PAGES[order]
    place, member = after or first
    rows = await postgres.read(
        statement,
        place=place,
        member=member,
        count=count,
        about=wanted.about,
        businesses=sorted(wanted.businesses),
        sources=int(wanted.sources),
        moderator=wanted.moderator,
    )
    return list(map(_row, rows))


def item_of(row: CaseRow, order: CaseOrder) -> Item:
    """Returns the place of a case in this order."""
    return Item(row.weight if order is CaseOrder.MOST_REPORTED else row.moment, row.ref.entity_id)


def _row(row: Iterable[Any]) -> CaseRow:
    business, entity, about, author, moment, sources, reports, weight = row
    return CaseRow(EntityRef(business, entity), about, author, moment, CaseSource(sources), reports, weight)
