"""Indexes posts, comments and entities for search, in steps, outside of the transactions that change them."""

from collections.abc import Callable, Collection, Mapping

from domain.search import words_of
from domain.versions import version_ms
from models.counters import EntityRef
from models.search import Document, Searchable, document_of, is_searchable, texts_of
from observability import metrics
from settings import COMMENTS, POSTS, Settings
from state import State, opened
from store.backoff import rest
from store.content import comments, posts, search
from store.content.search import Due
from store.reconcile.search import KEYSETS, ref_of
from store.reconcile.sizes import rows_of_tables

_AT_ONCE, _MOST_STEPS = 500, 8
"""The most documents of one transaction, and the most transactions between two pauses, which leave room for others."""
_MOST_WAITING = 10_000
"""The most posts, comments and entities that wait during a rebuild, so that new content does not wait long."""


async def index(state: State, is_leader: Callable[[], bool]) -> int:
    """Indexes up to 4000 posts, comments and entities that have changed. Returns their number. Does nothing and returns
    0 unless `is_leader` returns true. Raises PostgresDown.
    """
    number = 0
    for _ in range(_MOST_STEPS if is_leader() else 0):
        due = await search.due(state.postgres, _AT_ONCE)
        if due:
            await renew(state, {one.ref for one in due}, due)
        number += len(due)
        if len(due) < _AT_ONCE:
            break
    return number


async def measure_search(state: State, is_leader: Callable[[], bool]) -> None:
    """Exports how many changes the index lacks, and the age in seconds of the oldest one. Unless `is_leader` returns
    true, exports zeros. Raises PostgresDown.
    """
    number, oldest = await search.waiting(state.postgres) if is_leader() else (0, None)
    metrics.SEARCH_WAITING.set(number)
    metrics.SEARCH_LAG.set(0 if oldest is None else max(0, state.now_ms() - version_ms(oldest)) / 1000)


async def renew(state: State, refs: Collection[EntityRef], due: Collection[Due] = ()) -> None:
    """Writes the documents of these posts, comments and entities again, and removes those that search must not find.
    Then removes the requests `due`. Raises PostgresDown.
    """
    async with state.postgres.transaction() as transaction:
        await search.hold(transaction)
        documents = await documents_of(state, refs)
        await search.write(transaction, documents.values(), [ref for ref in refs if ref not in documents], due)


async def documents_of(state: State, refs: Collection[EntityRef]) -> Mapping[EntityRef, Document]:
    """Returns the documents that the index must have for these posts, comments and entities. Leaves out those that
    search must not find. Raises PostgresDown.
    """
    rows = list[Searchable]()
    if ids := [ref.entity_id for ref in refs if ref.business_id == POSTS]:
        rows += (await posts.by_id(state.postgres, ids)).values()
    if ids := [ref.entity_id for ref in refs if ref.business_id == COMMENTS]:
        rows += (await comments.by_id(state.postgres, ids)).values()
    if others := [ref for ref in refs if ref.business_id not in (POSTS, COMMENTS)]:
        rows += (await state.entities.by_id(others)).values()
    shown = [row for row in rows if is_searchable(row)]
    language = state.settings.content.search_language
    stems = await search.stems(state.postgres, language, words_of(text for row in shown for text in texts_of(row)))
    return {row.ref: document_of(row, stems) for row in shown}


async def rebuild(settings: Settings, show: Callable[[float, float | None, str], None]) -> int:
    """Requests that workers index everything again, and waits until they have. `show` gets the progress: the number of
    posts, comments and entities that are done, the number of all, and the table that is read. Returns the number of
    all. Raises PostgresDown.
    """
    asked = 0
    async with opened(settings, "search", makes_ids=False) as state:
        total = await rows_of_tables(state.postgres, [*KEYSETS])
        for table, (business_id, keyset) in KEYSETS.items():
            async for rows in keyset.batches(state.postgres):
                async with state.postgres.transaction() as transaction:
                    await search.ask(transaction, [(ref_of(business_id, row), 0) for row in rows])
                asked += len(rows)
                await _wait(state, asked, max(asked, total), _MOST_WAITING, table, show)
        await _wait(state, asked, asked, 0, "last changes", show)
    return asked


async def _wait(
    state: State, asked: int, total: int, most: int, what: str, show: Callable[[float, float | None, str], None]
) -> None:
    """Waits until at most `most` requests are left, and shows the progress."""
    while True:
        waiting = (await search.waiting(state.postgres)).number
        show(max(0, asked - waiting), total, what)
        if waiting <= most:
            return
        await rest(0.5)
