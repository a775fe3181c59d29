"""Clears suspensions whose time is over, and adds their ends to the moderation log.

A suspension has no effect after its end, even if it is not cleared yet.
"""

from collections.abc import Callable

from projections.entries import suspensions
from state import State
from store.moderation import log
from store.outgoing.new_events import OutgoingEvents
from store.people import users

_AT_ONCE = 500


async def sweep(state: State, is_leader: Callable[[], bool]) -> None:
    """Clears suspensions whose time is over, up to 500 in one call, those that ended first. Does nothing if `is_leader`
    returns false. Raises PostgresDown or RedisDown; the call can then be repeated.
    """
    if not is_leader():
        return
    for user_id in await users.with_ended_suspension(state.postgres, state.now_ms(), _AT_ONCE):
        await _clear(state, user_id)


async def _clear(state: State, user_id: int) -> None:
    """Clears the suspension of a user whose time is over. Does nothing if a moderator has replaced the suspension, or
    if it is cleared already.
    """
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
