"""Deletes accounts that are due. A call does one step for each of them.

1. Appends the beginning to the user's journal. When a worker has stored it, everything that the user did before is
   stored too, and the deletion cannot be cancelled any more.
2. Undoes what the user has done (undo.py), until nothing is left.
3. Waits until no request of the user can still run. Such a request began before its process knew of the deletion.
4. Removes rows (purge.py), and finishes.
"""

from collections.abc import Awaitable, Callable

import orjson

from domain.digests import digest
from models.deletions import DELETE_USER, DeletionMode, DeletionState
from models.users import UserRow
from observability import metrics
from observability.logs import Log
from settings import USERS
from state import State
from store.content import erasures
from store.gather import gather_all
from store.people import deletions, users
from store.people.deletions import Deletion
from store.write_log.operations import Operation
from workers.deletions import erase, purge, undo

log = Log(__name__)
_ACCOUNTS = 10
"""The most accounts, or entities, that one call works on."""
_REMEMBERED_MS = 10_000
"""Milliseconds in which the beginning of a deletion is not appended again."""


async def delete_accounts(state: State, is_leader: Callable[[], bool]) -> int:
    """Does a step of each deletion that is due, unless a legal hold stops it. Returns the number of changes and rows
    that were removed. Does nothing and returns 0 unless `is_leader` returns true, and while Redis is down.

    An account that cannot be deleted now does not delay the others. Raises PostgresDown; the call can then be repeated.
    """
    if not is_leader() or state.redis.is_unavailable:
        return 0
    due = await deletions.due(state.postgres, state.now_ms(), _ACCOUNTS)
    found = await users.by_id(state.postgres, [one.user_id for one in due]) if due else {}
    steps = [
        _try(_delete(state, one, found[one.user_id], is_leader), "could not delete an account", user=one.user_id)
        for one in due
        if one.user_id in found
    ]
    return sum(await gather_all(*steps))


async def erase_entities(state: State, is_leader: Callable[[], bool]) -> int:
    """Does a step of each erasure of an entity that is not finished (erase.py). Returns the number of changes and rows
    that were removed. Does nothing and returns 0 unless `is_leader` returns true, and while Redis is down.

    An entity that cannot be erased now does not delay the others. Raises PostgresDown; the call can then be repeated.
    """
    if not is_leader() or state.redis.is_unavailable:
        return 0
    steps = [
        _try(erase.step(state, one, is_leader), "could not erase an entity", entity=one.entity_id)
        for one in await erasures.unfinished(state.postgres, _ACCOUNTS)
    ]
    removed = sum(await gather_all(*steps))
    metrics.DELETIONS_REMOVED.inc(removed)
    return removed


async def measure_deletions(state: State, is_leader: Callable[[], bool]) -> None:
    """Exports how many accounts are to be deleted and how many entities are being erased, by state. Unless `is_leader`
    returns true, exports nothing. Also removes digests of identities that are too old to keep.
    """
    metrics.DELETIONS.clear()
    metrics.ERASURES.clear()
    if is_leader():
        for name, count in (await deletions.waiting(state.postgres))._asdict().items():
            metrics.DELETIONS.labels(name).set(count)
        for name, count in (await erasures.waiting(state.postgres))._asdict().items():
            metrics.ERASURES.labels(name).set(count)
        await deletions.sweep_identities(state.postgres, state.now_ms())


async def _try(step: Awaitable[int], message: str, **about: int) -> int:
    """Does a step of one deletion or erasure. If it fails, logs why, and returns 0."""
    try:
        return await step
    except Exception as error:  # noqa: BLE001 - the next call may succeed
        log.warning(message, error=repr(error), **about)
        return 0


async def _delete(state: State, deletion: Deletion, user: UserRow, is_leader: Callable[[], bool]) -> int:
    """Does a step of the deletion of an account. Returns the number of changes and rows that were removed."""

    async def goes_on() -> bool:
        return is_leader() and not await deletions.is_held(state.postgres, user.user_id)

    if user.deletion == DeletionState.PENDING:
        await _begin(state, deletion)
        return 0
    if user.deletion != DeletionState.RUNNING:
        return 0
    mode = DeletionMode(user.deletion_mode or 0)
    count = await undo.step(state, user.user_id, mode)
    if not count:
        if state.now_ms() - (deletion.started_ms or 0) < state.settings.pending_seconds * 1000:
            return 0
        count = await purge.purge(state, user, mode, goes_on)
    if count:
        await _count(state, user.user_id, count)
    elif await goes_on():
        await purge.finish(state, user, mode)
        log.info("deleted an account", user=user.user_id, mode=mode.name)
    return count


async def _begin(state: State, deletion: Deletion) -> None:
    """Appends the beginning of a deletion to the user's journal."""
    user_id = deletion.user_id
    entry = {"actor": user_id, "business": USERS, "entity": user_id, "mode": None, "due": deletion.due_ms}
    operation = Operation(digest("deletion begins", f"{user_id} {deletion.due_ms}"), "", _REMEMBERED_MS)
    await state.patches.append(user_id, DELETE_USER, operation, orjson.dumps(entry))


async def _count(state: State, user_id: int, count: int) -> None:
    metrics.DELETIONS_REMOVED.inc(count)
    async with state.postgres.transaction() as transaction:
        await deletions.add_removed(transaction, user_id, count)
