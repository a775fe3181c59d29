"""Deletes accounts that are due. A call does one step for each of them.

1. Appends the beginning to the user's journal. When a worker has stored it, everything that the user did before is
   stored too, and the deletion cannot be cancelled any more.
2. Undoes what the user has done (undo.py), until nothing is left.
3. Waits until no request of the user can still run, and no upload of the user is valid. Such a request began before its
   process knew of the deletion.
4. Removes rows and uploaded files (purge.py), until nothing is left, and finishes.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable

import orjson

from domain.digests import digest
from models.deletions import DELETE_USER, DeletionMode, DeletionState
from models.users import UserRow
from observability import metrics
from observability.logs import Log
from settings import USERS
from state import State
from store.archive import chunks
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
Begun = dict[int, AsyncGenerator[int, None]]
"""The deletions that this worker has begun, by user: each goes on where its last step has ended. They are only in
memory. A worker that has no entry for a user begins anew, and finds what is left.
"""


async def delete_accounts(state: State, is_leader: Callable[[], bool], begun: Begun) -> int:
    """Does a step of each deletion that is due, unless a legal hold stops it. Returns the number of changes and rows
    that were removed. Does nothing and returns 0 unless `is_leader` returns true, and while Redis is down. Pass the
    same `begun` to each call.

    An account that cannot be deleted now does not delay the others. Raises PostgresDown; the call can then be repeated.
    """
    if not is_leader() or state.redis.is_unavailable:
        begun.clear()
        return 0
    due = await deletions.due(state.postgres, state.now_ms(), _ACCOUNTS)
    found = await users.by_id(state.postgres, [one.user_id for one in due]) if due else {}
    steps = [
        _try(_step(state, one, found[one.user_id], begun), "could not delete an account", user=one.user_id)
        for one in due
        if one.user_id in found
    ]
    return sum(await gather_all(*steps))


async def erase_entities(state: State, is_leader: Callable[[], bool]) -> int:
    """Does a step of up to ten erasures of entities that are not finished (erase.py), and looks whether ten of those
    that a legal hold stops can go on. Returns the number of changes and rows that were removed. Does nothing and
    returns 0 unless `is_leader` returns true, and while Redis is down.

    An entity that cannot be erased now does not delay the others. Raises PostgresDown; the call can then be repeated.
    """
    if not is_leader() or state.redis.is_unavailable:
        return 0
    steps = [
        _try(erase.step(state, one, is_leader), "could not erase an entity", entity=one.entity_id)
        for held in (False, True)
        for one in await erasures.unfinished(state.postgres, _ACCOUNTS, held=held)
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


async def _step(state: State, deletion: Deletion, user: UserRow, begun: Begun) -> int:
    """Does a step of the deletion of an account. Returns the number of changes and rows that were removed."""
    if user.deletion == DeletionState.PENDING:
        await _begin(state, deletion)
    if user.deletion != DeletionState.RUNNING or deletion.started_ms is None:
        return 0
    work = begun.pop(user.user_id, None) or _delete(state, user, deletion.started_ms)
    count = await anext(work, None)  # after an error, the next step begins anew
    if count is not None:
        begun[user.user_id] = work
    if count:
        await _count(state, user.user_id, count)
    return count or 0


async def _delete(state: State, user: UserRow, started_ms: int) -> AsyncGenerator[int, None]:
    """Deletes an account whose deletion began at `started_ms`, in milliseconds since the Unix epoch. Yields after each
    step: the number of changes and rows that the step has removed.

    Goes through everything again until it finds nothing, because stores may lose the newest changes, and imports may
    have written rows that refer to the user.
    """
    user_id, mode, found = user.user_id, DeletionMode(user.deletion_mode or 0), 1
    while found:
        found = 0
        await chunks.let_end(state.postgres)
        async for count in undo.steps(state, user_id, mode):
            found += count
            yield count
        if found:
            continue
        while state.now_ms() - started_ms < _active_seconds(state) * 1000:
            yield 0
        async for count in purge.steps(state, user_id, mode):
            found += count
            yield count
    if await deletions.is_held(state.postgres, user_id):
        return
    await purge.finish(state, user, mode)
    log.info("deleted an account", user=user_id, mode=mode.name)


def _active_seconds(state: State) -> float:
    """Returns how many seconds after the beginning of a deletion a request or an upload of the user may still end."""
    uploads = state.settings.images.uploads
    return state.settings.pending_seconds + (uploads.lifetime if uploads else 0)


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
