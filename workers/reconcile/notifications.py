"""Compares the head of each user (the highest position that a notification of the user has got) with the notifications,
and the number of actors of each notification with the rows of its actors.

The lock of a user's head protects all rows of that user's notifications.
"""

from collections.abc import Sequence

from state import State
from store.notifications.notifications import drop
from store.reconcile.notifications import ACTORS, HEADS, count_actors, raise_heads
from workers.reconcile.batches import Compare, RowKey, compare_rows


def compare(state: State) -> Compare:
    """Compares the head of every user who has notifications, then the number of actors of every notification. Yields
    the results.
    """
    comparisons = ("notification_heads", HEADS, _raise_heads), ("notification_actors", ACTORS, _count)
    return compare_rows(state, comparisons)


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
