"""Erases entities with everything below them. A call of `step` does a step of one erasure.

1. Deletes the comments on the entity, and undoes what users have done with the entity and the comments: appends to the
   users' journals the changes that their requests would append (undo.py). So counters, lists, caches and outgoing
   events change as they always do.
2. Waits until nothing can be added any more. Requests that began before the erasure have ended, what they appended to
   journals is stored, and imports have written the chunks that they began before.
3. Removes the rows.
4. Empties the row of the entity and frees its key, so that a new entity can be registered under the key.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from models.attachments import Attachment
from models.boundaries import THREAD
from models.content_follows import CONTENT_FOLLOW
from models.counters import CounterKind, EntityRef
from models.likes import REACT
from models.saves import SAVE
from observability.logs import Log
from settings import COMMENTS
from state import State
from store.archive import chunks
from store.backoff import rest
from store.content import erasures, uploaded_files
from store.content.erasures import TABLES, Actions, Erasure
from store.content.removed_texts import WITH_FILES
from store.notifications import notifications
from store.outgoing import retention
from store.outgoing.events.entities import ENTITY_ERASED
from store.outgoing.new_events import OutgoingEvents
from store.write_log.lag import longest_lag_s
from store.write_log.operations import Outcome
from workers.deletions import undo
from workers.deletions.undo import AT_ONCE, Reading, Undo

log = Log(__name__)
GoesOn = Callable[[], Awaitable[bool]]
"""Tells whether this worker may still erase the entity."""
_COMMENTS = 200
"""The most comments about which one statement reads or removes rows."""
_PAUSE = 0.05
"""Seconds between two batches, so that the changes of users do not wait."""
_DAY_MS = 86_400_000
_DAYS = 40
"""The age in days up to which likes per day are searched. Older ones are removed (workers/retention.py)."""


async def _unreact(state: State, user_id: int, row: Any, asked_ms: int) -> Outcome:
    """Appends the end of a reaction, as a change that no request made: the log of likes gets no line."""
    ref = EntityRef(row.business_id, row.entity_id)
    data = {"verb": None, **undo.about(ref), "owner": row.owner_id}
    return await undo.change(state, user_id, REACT, ref, data, (row.state, asked_ms))


_STEPS: dict[str, Undo] = {
    REACT: _unreact,
    SAVE: undo.unsave,
    THREAD: undo.unmute_thread,
    CONTENT_FOLLOW: undo.unfollow_content,
}
"""How each kind of thing that users have about an object is undone."""
KINDS = set(_STEPS)


async def step(state: State, erasure: Erasure, is_leader: Callable[[], bool]) -> int:
    """Does a step of an erasure, unless a legal hold stops it. Returns the number of changes and rows that were
    removed. Stops early when `is_leader` returns false. Raises PostgresDown, RedisDown, Moved or Unavailable; the call
    can then be repeated.
    """
    ref = erasure.ref

    async def goes_on() -> bool:
        return is_leader() and not await erasures.is_held(state.postgres, ref)

    if erasure.held != (held := await erasures.is_held(state.postgres, ref)):
        async with state.postgres.transaction() as transaction:
            await erasures.hold(transaction, ref, held=held)
    if held:
        return 0
    if count := await _undo_all(state, erasure, goes_on):
        await _advance(state, ref, removed=count, since_ms=state.now_ms())
    elif not await _is_settled(state, erasure):
        return 0
    elif count := await _purge(state, erasure, goes_on):
        await _advance(state, ref, removed=count)
    elif await goes_on():
        await _finish(state, erasure)
    return count


async def _advance(state: State, ref: EntityRef, **progress: int) -> None:
    async with state.postgres.transaction() as transaction:
        await erasures.advance(transaction, ref, **progress)


async def _undo_all(state: State, erasure: Erasure, goes_on: GoesOn) -> int:
    """Appends up to 500 changes that delete comments or undo what users have done with the entity or its comments.
    Returns the number of changes; 0 if nothing is left.
    """
    ref, postgres = erasure.ref, state.postgres
    if rows := await erasures.public_comments(postgres, ref, AT_ONCE):
        return await _delete(state, rows)
    if count := await _undo(state, ref.business_id, [ref.entity_id]):
        return count
    after = erasure.reached
    while await goes_on() and (rows := await erasures.comments(postgres, ref, after, _COMMENTS)):
        if count := await _undo_comments(state, [row.comment_id for row in rows]):
            return count
        after = rows[-1].comment_id
        await _advance(state, ref, reached=after)
        await rest(_PAUSE)
    return 0


async def _undo_comments(state: State, ids: Sequence[int]) -> int:
    """Appends changes that delete these comments, such as hidden ones, or else changes that undo what users have done
    with them. Returns the number of changes; 0 if nothing is left.
    """
    if rows := await erasures.not_deleted(state.postgres, ids):
        return await _delete(state, rows)
    return await _undo(state, COMMENTS, ids)


async def _delete(state: State, rows: Sequence[Any]) -> int:
    """Appends the deletions of comments by their authors. Returns their number, at least 1."""
    now = dict.fromkeys((row.user_id for row in rows), 0)  # a deletion does not depend on what rows say
    return await undo.append(state, undo.delete_comment, now, [(row.user_id, row) for row in rows])


async def _undo(state: State, business_id: int, ids: Sequence[int]) -> int:
    """Appends changes that undo what users have done with these objects of a business, all of one kind. Returns the
    number of changes; 0 if nothing is left.
    """
    for what, undone in _STEPS.items():
        if found := await erasures.read(state.postgres, what, business_id, ids, AT_ONCE):
            reading = await Reading.begin(state, sorted({row.user_id for row in found}))
            # Read again, because the rows must be newer than the times of the Redis servers.
            rows = await erasures.read(state.postgres, what, business_id, ids, AT_ONCE)
            known = [(row.user_id, row) for row in rows if row.user_id in reading.asked_ms]
            return 1 if reading.is_too_old or not known else await undo.append(state, undone, reading.asked_ms, known)
    return 0


async def _is_settled(state: State, erasure: Erasure) -> bool:
    """Tells whether nothing can be added below the entity any more: all requests that began before the last change have
    ended, and what they appended to journals is stored. Then waits until imports have written the chunks that they
    write now: a later chunk reads that the entity is being erased.
    """
    now_ms = state.now_ms()
    lag_s = await longest_lag_s(state.redis, state.postgres, now_ms)
    if now_ms - erasure.since_ms < (lag_s + state.settings.pending_seconds) * 1000:
        return False
    await chunks.let_end(state.postgres)
    return True


async def _purge(state: State, erasure: Erasure, goes_on: GoesOn) -> int:
    """Removes the rows below an entity, in batches with pauses. Returns the number of removed rows, and of changes if
    something was found that had to be undone first; 0 if nothing was left.
    """
    ref, removed = erasure.ref, 0
    while await goes_on() and (rows := await erasures.comments(state.postgres, ref, 0, _COMMENTS)):
        ids = [row.comment_id for row in rows]
        if count := await _undo_comments(state, ids):
            await _advance(state, ref, since_ms=state.now_ms())
            return removed + count
        removed += await _remove(state, COMMENTS, ids, goes_on)
        if not await goes_on():
            return removed
        removed += await _remove_comments(state, ref, rows)
        await state.cache.drop(erasures.cached_of_comments(ids))
        await rest(_PAUSE)
    return removed + await _remove(state, ref.business_id, [ref.entity_id], goes_on)


async def _remove_comments(state: State, ref: EntityRef, rows: Sequence[Any]) -> int:
    """Removes comments on an entity, and their uploaded files; only the first ten if they have attachments. Returns the
    number of removed comments. Raises Unavailable if the store of uploads does not answer.
    """
    async with state.postgres.transaction() as transaction:
        files: list[Attachment] = []
        if state.uploads and await uploaded_files.of_comments(transaction, rows):
            rows = rows[:WITH_FILES]
            files = await uploaded_files.of_comments(transaction, rows)
        await erasures.remove_comments(transaction, ref, rows)
        if state.uploads:
            await uploaded_files.delete_of(transaction, files, state.uploads, state.now_ms())
    return len(rows)


async def _remove(state: State, business_id: int, ids: Sequence[int], goes_on: GoesOn) -> int:
    """Removes the rows about these objects of a business. Returns the number of removed rows."""
    actions, removed = await actions_of(state, business_id, ids), 0
    for table in TABLES:
        count = erasures.BATCH
        while count == erasures.BATCH and await goes_on():
            async with state.postgres.transaction() as transaction:
                count, users = await erasures.remove(transaction, table, business_id, ids, actions)
            if users:
                await state.cache.drop({notifications.CODEC.key(user) for user in users})
            removed += count
            if count == erasures.BATCH:
                await rest(_PAUSE)
    return removed


async def actions_of(state: State, business_id: int, ids: Sequence[int]) -> Actions:
    """Returns what to search for in the tables of counted actions about these objects of a business."""
    business, today = state.businesses_by_id.get(business_id), state.now_ms() // _DAY_MS
    own = {counter.id for counter in business.counters} if business else set()
    kinds = own | {CounterKind.VIEWS, CounterKind.SHARES} | await erasures.kinds_of(state.postgres, business_id, ids)
    return Actions(sorted(map(int, kinds)), list(range(today - _DAYS, today + 2)))


async def _finish(state: State, erasure: Erasure) -> None:
    """Empties the row of the entity, frees its key, and sends the event `entity.erased`. First removes the stored
    outgoing events that contain the entity or a text about it. Does nothing if something is left below the entity.
    """
    ref = erasure.ref
    if await erasures.left(state.postgres, ref, await actions_of(state, ref.business_id, [ref.entity_id])):
        return
    for partition in range(state.keys.partitions):
        await retention.forget(state.postgres, partition, ref)
        await rest(_PAUSE)
    async with state.postgres.transaction() as transaction:
        if not await erasures.finish(transaction, ref, state.now_ms()):
            return  # another worker has finished
        id_ = await state.entities.empty(transaction, ref, erasure.key)
        fence = await state.cache.fence(transaction, sorted(erasures.cached(ref, erasure.key)))
        events_out = OutgoingEvents(state.keys.partition_of)
        events_out.add(ENTITY_ERASED, ref.entity_id, ref.business_id, 0, ref, id=id_)
        await events_out.write(transaction)
    await state.cache.unfence(fence)
    log.info("erased an entity", business=ref.business_id, entity=ref.entity_id)
