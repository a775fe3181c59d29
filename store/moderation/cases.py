"""The moderation queue: one case for each post, comment, user or entity that has ever waited for a moderator."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
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
    SELECT *, 0, 0, 0 FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                                  CAST(:about AS smallint[]), CAST(:authors AS bigint[]), CAST(:moments AS bigint[]))
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


@dataclass(slots=True)
class CaseChange:
    """What a batch changes in one case."""

    about: int
    author_id: int | None
    moment: int
    """The moment of the change. If the change opens the case, it orders the case in the queue."""
    content: CaseSource | None = None
    """The reasons why the post or comment waits for approval, none of them if it does not wait; None if that does not
    change.
    """
    reports: int = 0
    """The change of the number of open reports."""
    weight: int = 0
    """The change of their total weight."""

    def applied(self, row: CaseRow) -> CaseRow:
        """Returns the case after this change."""
        reports = row.reports + self.reports
        content = row.sources & ~CaseSource.REPORTS if self.content is None else self.content
        sources = content | CaseSource.REPORTS if reports else content
        moment = self.moment if sources and not row.sources else row.moment
        author = self.author_id or row.author_id
        return row._replace(
            author_id=author, moment=moment, sources=sources, reports=reports, weight=row.weight + self.weight
        )


class CaseChanges:
    """Collects what a batch changes in cases."""

    def __init__(self) -> None:
        self._changes: dict[EntityRef, CaseChange] = {}

    def of(self, ref: EntityRef, about: int, author_id: int | None, moment: int) -> CaseChange:
        """Returns the change of the case of a target, to be completed."""
        return self._changes.setdefault(ref, CaseChange(about, author_id, moment))

    async def write(self, transaction: Transaction) -> None:
        """Writes the cases. Cases that this batch opens for the first time are added."""
        if not self._changes:
            return
        ordered = sorted(self._changes.items())
        new = [(*ref, change.about, change.author_id, change.moment) for ref, change in ordered]
        await transaction.execute(_ADD, **columns(new, "businesses", "entities", "about", "authors", "moments"))
        rows = await transaction.execute(_LOCK, **columns([ref for ref, _ in ordered], "businesses", "entities"))
        after = [self._changes[row.ref].applied(row) for row in map(_row, rows)]
        values = [(*row.ref, row.author_id, row.moment, int(row.sources), row.reports, row.weight) for row in after]
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
