"""Writes the settings of the comments on posts and entities to rows. The newest change of each setting wins."""

from collections.abc import Sequence

from projections.events.content import CommentSettingsChanged
from state import State
from store.content import comment_settings as rows
from store.postgres.client import Transaction


async def apply(transaction: Transaction, events: Sequence[CommentSettingsChanged]) -> None:
    """Writes the changed settings."""
    await rows.write(transaction, [event.patch for event in events])


async def publish(state: State, events: Sequence[CommentSettingsChanged]) -> None:
    """Replaces the cached settings of these posts and entities with what the rows say."""
    if subjects := sorted({event.patch.subject for event in events}):
        await rows.publish(state.cache, await rows.by_subject(state.postgres, subjects))
