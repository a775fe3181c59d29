"""Writes events to the tables: first rows, then the notification outbox, then counters.

Counters come last because many batches change the same counters, and would wait for their locks.
"""

from collections.abc import Sequence
from operator import attrgetter

from models.counters import EntityRef
from projections import actions, boundaries, comments, follows, likes, posts
from projections.content import ModerationPass
from projections.events import ActionRecorded, BoundaryEvent, ContentEvent, Event, Followed, Reacted, ReadMarked
from settings import COMMENTS, POSTS
from state import State
from store.notifications.outbox import NotificationOutbox
from store.postgres.client import Transaction
from store.reactions.counts import CounterDeltas


async def apply(state: State, transaction: Transaction, events: Sequence[Event]) -> set[EntityRef]:
    """Writes the rows, notification outbox and counter changes of events. Returns the entities whose
    counters changed.
    """
    through = {event.partition: event.version for event in sorted(events, key=attrgetter("version"))}
    deltas, outbox = CounterDeltas(through), NotificationOutbox()
    if reacted := [event for event in events if isinstance(event, Reacted)]:
        await likes.apply(transaction, reacted, deltas, outbox)
    if followed := [event for event in events if isinstance(event, Followed)]:
        await follows.apply(transaction, followed, deltas, outbox)
    await boundaries.apply(transaction, [event for event in events if isinstance(event, BoundaryEvent)])
    if recorded := [event for event in events if isinstance(event, ActionRecorded)]:
        await actions.apply(transaction, recorded, deltas)
    if wrote := [event for event in events if isinstance(event, ContentEvent)]:
        await _apply_written(state, transaction, wrote, deltas, outbox)
    for marked in [event for event in events if isinstance(event, ReadMarked)]:
        outbox.read(marked.actor_id, marked.moment, marked.version)
    await outbox.write(transaction, min(through, default=0))
    await deltas.write(transaction)
    return deltas.refs


async def _apply_written(
    state: State,
    transaction: Transaction,
    events: Sequence[ContentEvent],
    deltas: CounterDeltas,
    outbox: NotificationOutbox,
) -> None:
    """Writes posts and comments. One ModerationPass checks both, because an author's history of submissions includes
    both.
    """
    moderation = await ModerationPass.read(state, transaction, events)
    if about_posts := [event for event in events if event.ref.business_id == POSTS]:
        await posts.apply(state, transaction, about_posts, moderation, deltas, outbox)
    if about_comments := [event for event in events if event.ref.business_id == COMMENTS]:
        await comments.apply(state, transaction, about_comments, moderation, deltas, outbox)
    await moderation.write(transaction)
