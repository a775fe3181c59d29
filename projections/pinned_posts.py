"""Writes which posts users have pinned to rows. The newest change of each pin wins."""

from collections.abc import Sequence

from projections.events.content import PinChanged
from state import State
from store.content import pinned_posts as rows
from store.postgres.client import Transaction


async def apply(transaction: Transaction, events: Sequence[PinChanged]) -> None:
    """Writes the changed pins."""
    await rows.write(transaction, [event.patch for event in events])


async def publish(state: State, events: Sequence[PinChanged]) -> None:
    """Replaces the cached pinned posts of these users with what the rows say."""
    if users := sorted({event.actor_id for event in events}):
        await rows.publish(state.cache, await rows.by_user(state.postgres, users))
