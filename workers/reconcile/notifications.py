"""How far users have been told, and how many people their notifications are about. A user's head is the lock of all
their rows.
"""

from collections.abc import Sequence
from functools import partial

from state import State
from store.notifications.notifications import drop
from store.reconcile.notifications import actor_batches, count_actors, head_batches, raise_heads
from workers.reconcile.batches import Compare, RowKey, drifting


async def compare(state: State) -> Compare:
    """Every user who has been told something, then everything they were told."""
    lift, count = partial(_lift, state), partial(_count, state)
    async for compared in drifting("notification_heads", head_batches(state.postgres), lift):
        yield compared
    async for compared in drifting("notification_actors", actor_batches(state.postgres), count):
        yield compared


async def _lift(state: State, users: Sequence[RowKey]) -> None:
    ids = sorted(user for (user,) in users)
    async with state.postgres.transaction() as transaction:
        await raise_heads(transaction, ids)
    await drop(state.cache, ids)


async def _count(state: State, notifications: Sequence[RowKey]) -> None:
    users = sorted({user for user, _ in notifications})
    async with state.postgres.transaction() as transaction:
        await count_actors(transaction, users, notifications)
    await drop(state.cache, users)
