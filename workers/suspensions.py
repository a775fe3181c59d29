"""Clears suspensions whose time is over, and adds their ends to the moderation log.

A suspension has no effect from its end on, also before it is cleared.
"""

from collections.abc import Callable

from projections.entries import suspensions
from state import State
from store.moderation import log
from store.outgoing.new_events import OutgoingEvents
from store.people import users

_AT_ONCE = 500


async def sweep(state: State, is_leader: Callable[[], bool]) -> None:
    """Clears the suspensions that ended first, up to _AT_ONCE. Does nothing if `is_leader` returns false. Raises
    PostgresDown or RedisDown; the call can then be repeated.
    """
    if not is_leader():
        return
    for user_id in await users.with_ended_suspension(state.postgres, state.now_ms(), _AT_ONCE):
        await _clear(state, user_id)


async def _clear(state: State, user_id: int) -> None:
    """Clears the suspension of a user. Does nothing if a moderator has replaced it, or if it is cleared already."""
    async with state.postgres.transaction() as transaction:
        before = await users.lock(transaction, user_id)
        if before is None:
            return
        after, lines = suspensions.without_ended(before, state.now_ms())
        if not lines:
            return
        await users.update(transaction, before, after)
        await log.write(transaction, lines)
        fence = await users.fence_changed(state.cache, transaction, before, after)
        events_out = OutgoingEvents(state.keys.partition_of)
        suspensions.add_outgoing(events_out, after)
        await events_out.write(transaction)
    await state.cache.unfence(fence)
