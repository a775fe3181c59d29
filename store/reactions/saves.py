"""Reads the rows of a user's saves, for own sets (store/own_sets/kinds/) and for pages of saved objects."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import text

from models.counters import EntityRef
from models.own_sets import Member
from models.saves import NOT_SAVED, Save, SavedKind
from store.postgres.client import Reader
from store.postgres.columns import columns

NEWEST = Save(1 << 62, 0, 0, NOT_SAVED)
"""A save newer than any other. The first page of a list starts here."""


class Which(NamedTuple):
    """Which of a user's saves a list has: those of one kind of object (`kind`), those in one collection
    (`collection_id`), or both. None does not restrict the list.
    """

    kind: SavedKind | None = None
    collection_id: int | None = None

    def has(self, save: Save) -> bool:
        """Returns whether the list has this save."""
        return (self.kind is None or SavedKind.of(save.ref) is self.kind) and (
            self.collection_id in (None, save.collection_id)
        )


ALL = Which()


class SavesPage(NamedTuple):
    """A page of a user's saves to read: up to `most` saves that `which` selects and that are older than `before`."""

    user_id: int
    which: Which
    before: Save
    most: int


_AMONG = text("""
    SELECT s.moment, s.business_id, s.entity_id, s.collection_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN saves s USING (business_id, entity_id)
    WHERE s.user_id = :user AND s.collection_id <> 0
""")
# Each branch reads one index; the other one is skipped, because its first condition does not depend on rows. A
# distributed Postgres accepts a LIMIT for each page only because each page is joined with the row of its user.
_PAGES = text("""
    SELECT w.page, s.moment, s.business_id, s.entity_id, s.collection_id
    FROM (
        SELECT u.user_id, p.collection_id, p.kind, p.moment, p.business_id, p.entity_id, p.count, p.page
        FROM unnest(CAST(:users AS bigint[]), CAST(:collections AS bigint[]), CAST(:kinds AS smallint[]),
                    CAST(:moments AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                    CAST(:counts AS int[]), CAST(:pages AS smallint[]))
            AS p(user_id, collection_id, kind, moment, business_id, entity_id, count, page)
        JOIN users u USING (user_id)
    ) AS w
    CROSS JOIN LATERAL (
        (SELECT moment, business_id, entity_id, collection_id FROM saves
         WHERE w.collection_id = 0 AND user_id = w.user_id AND kind = w.kind AND collection_id <> 0
           AND (moment, business_id, entity_id) < (w.moment, w.business_id, w.entity_id)
         ORDER BY moment DESC, business_id DESC, entity_id DESC LIMIT w.count)
        UNION ALL
        (SELECT moment, business_id, entity_id, collection_id FROM saves
         WHERE w.collection_id > 1 AND user_id = w.user_id AND collection_id = w.collection_id AND kind = w.kind
           AND collection_id > 1 AND (moment, business_id, entity_id) < (w.moment, w.business_id, w.entity_id)
         ORDER BY moment DESC, business_id DESC, entity_id DESC LIMIT w.count)
    ) AS s
""")


async def own_rows(source: Reader, user_id: int, _: int, refs: Sequence[EntityRef], newest: int) -> list[Member]:
    """Reads from Postgres a user's saves of the objects `refs`, and the newest saves, as many as `newest` says."""
    targets = columns(refs, "businesses", "entities")
    rows = await source.read(_AMONG, user=user_id, **targets) if refs else ()
    saves = {Save(*row) for row in rows}
    if newest:
        (page,) = await read_pages(source, [SavesPage(user_id, ALL, NEWEST, newest)])
        saves.update(page)
    return [Member(save.moment, save.ref, save.collection_id) for save in saves]


async def read_pages(source: Reader, pages: Sequence[SavesPage]) -> list[list[Save]]:
    """Reads pages of saves from rows, in one query. Returns the saves of each page, newest first."""
    names = "users", "collections", "kinds", "moments", "businesses", "entities", "counts", "pages"
    wanted = [row for at, page in enumerate(pages) for row in _wanted(page, at)]
    rows = await source.read(_PAGES, **columns(wanted, *names))
    found: list[list[Save]] = [[] for _ in pages]
    for at, *save in rows:
        found[at].append(Save(*save))
    return [sorted(saves, reverse=True)[: page.most] for saves, page in zip(found, pages, strict=True)]


def _wanted(page: SavesPage, at: int) -> list[tuple[int, ...]]:
    """Returns the parameters of the query `_PAGES` for the page with the index `at`: one row for each kind of object.
    The collection 0 stands for all saves.
    """
    kind, collection_id = page.which
    kinds = [kind] if kind else list(SavedKind)
    return [(page.user_id, collection_id or 0, one.value, *page.before[:3], page.most, at) for one in kinds]
