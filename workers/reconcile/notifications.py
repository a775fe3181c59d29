"""Compares the heads of users' notifications with the notifications, and the number of actors of each notification with
the rows of its actors.

The lock of a user's head protects all rows of that user's notifications.
"""

from collections.abc import Sequence
from functools import partial

from state import State
from store.notifications.notifications import drop
from store.reconcile.notifications import actor_batches, count_actors, head_batches, raise_heads
from workers.reconcile.batches import Compare, RowKey, compare_rows


async def compare(state: State) -> Compare:
    """Compares the head of every user who has notifications, then every notification."""
    heads, actors = partial(_raise_heads, state), partial(_count, state)
    async for compared in compare_rows("notification_heads", head_batches(state.postgres), heads):
        yield compared
    async for compared in compare_rows("notification_actors", actor_batches(state.postgres), actors):
        yield compared


async def _raise_heads(state: State, users: Sequence[RowKey]) -> None:
    ids = sorted(user for (user,) in users)
    async with state.postgres.transaction() as transaction:
        await raise_heads(transaction, ids)
    await drop(state.cache, ids)


async def _count(state: State, notifications: Sequence[RowKey]) -> None:
    users = sorted({user for user, _ in notifications})
    async with state.postgres.transaction() as transaction:
        await count_actors(transaction, users, notifications)
    await drop(state.cache, users)
