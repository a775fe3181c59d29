"""Removes the saves in deleted collections.

The deletion of a collection is applied after all saves that the owner had made before, and no save into it is accepted
afterwards. So a step reads a few of the remaining saves from rows, and appends their removals to the owner's journal,
as if the owner had sent them. The next step finds the rest. Nothing else records how far the work has come: it can be
interrupted at any time, and go on in another worker.
"""

import time
from collections.abc import Callable

import orjson

from domain.digests import digest
from models.own_sets import Transition
from models.saves import NOT_SAVED, SAVE, Save
from state import State
from store.gather import gather_all
from store.reactions import collections
from store.reactions.saves import NEWEST, SavesPage, Which, read_pages
from store.write_log.operations import Operation, Status

_COLLECTIONS = 20
"""The most collections that one step works on, each of another owner."""
_AT_ONCE = 500
"""The most saves that one step removes from the collections of one owner. The owner's journal grows by at most as many
entries. A batch also takes entries of other partitions, so the changes of other users do not wait.
"""
_REMEMBERED_MS = 10_000
"""Milliseconds in which the removal of a save is not appended again. Later, the pending change of the first removal
prevents it.
"""


async def empty_collections(state: State, is_leader: Callable[[], bool]) -> int:
    """Appends the removals of some saves in deleted collections to the journals of the owners. Returns the number of
    saves that are not in these collections any more. Does nothing and returns 0 unless `is_leader` returns true, and
    while Redis is down. Raises PostgresDown or RedisDown; the call can then be repeated.
    """
    if not is_leader() or state.redis.is_unavailable:
        return 0
    return sum([await _step(state, *one) for one in await collections.leaving(state.postgres, _COLLECTIONS)])


async def _step(state: State, owner_id: int, collection_id: int) -> int:
    generation, began = state.redis.generation, time.monotonic()
    asked_ms = await state.own_sets.clock_ms(SAVE, owner_id)
    which = Which(collection_id=collection_id)
    (saves,) = await read_pages(state.postgres, [SavesPage(owner_id, which, NEWEST, _AT_ONCE)])
    if not saves:
        async with state.postgres.transaction() as transaction:
            await collections.mark_emptied(transaction, owner_id, collection_id)
        return 0
    if state.redis.generation != generation or time.monotonic() - began >= state.settings.pending_seconds:
        return 0
    known = collection_id, asked_ms
    return sum(await gather_all(*[_remove(state, owner_id, save, known) for save in saves]))


async def _remove(state: State, owner_id: int, save: Save, known: tuple[int, int]) -> int:
    """Appends the removal of a save to the owner's journal, unless the owner has moved or removed the save meanwhile.
    `known` is the collection of the save, and the time before the collection was read, in milliseconds of the Redis
    server's clock. Returns 1 if the save is not in the collection any more; 0 if the change was refused.
    """
    business_id, entity_id = save.ref
    name = digest("collection deleted", f"{save.collection_id} {business_id}:{entity_id}")
    entry = orjson.dumps({"actor": owner_id, "business": business_id, "entity": entity_id})
    removal = Transition(SAVE, save.ref, NOT_SAVED, entry, only=save.collection_id)
    outcome = await state.own_sets.change(owner_id, removal, Operation(name, "", _REMEMBERED_MS), known)
    return int(outcome.status is Status.DONE)
