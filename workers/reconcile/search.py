"""Compares the index for search with the posts, comments and entities that it must have."""

from collections.abc import Collection
from functools import partial

from models.counters import EntityRef
from state import State
from store.reconcile.search import INDEX, KEYSETS, find_wrong, ref_of
from workers.reconcile.batches import Compare, Compared
from workers.search import documents_of, renew


async def compare(state: State) -> Compare:
    """Finds posts, comments and entities whose document is missing or has wrong terms, then documents that the index
    must not have. Yields the results.
    """
    for table, (business_id, keyset) in KEYSETS.items():
        async for rows in keyset.batches(state.postgres):
            refs = {ref_of(business_id, row) for row in rows}
            if table == INDEX:  # objects that must have a document were compared before
                refs -= (await documents_of(state, refs)).keys()
            wrong = await _wrong(state, refs)
            if wrong:  # a worker may have indexed some between the two reads
                wrong = await _wrong(state, wrong)
            yield Compared("search", len(rows), len(wrong), partial(renew, state, wrong))


async def _wrong(state: State, refs: Collection[EntityRef]) -> set[EntityRef]:
    return await find_wrong(state.postgres, refs, await documents_of(state, refs))
