"""Writes saves and collections to rows. Newer versions win. Counters change only if the rows have changed."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import TypeVar

from models.counters import CounterKind, EntityRef
from models.saves import NOT_SAVED
from projections import outgoing
from projections.events.reactions import CollectionChanged, Saved
from store.outgoing.outbox import OutgoingEvents
from store.postgres.client import Transaction
from store.reactions import collections, save_rows
from store.reactions.counts import CounterDeltas

E = TypeVar("E", Saved, CollectionChanged)


async def apply(
    transaction: Transaction,
    events: Sequence[Saved | CollectionChanged],
    deltas: CounterDeltas,
    events_out: OutgoingEvents,
) -> None:
    """Writes the last state of each collection, and the last save of each target by each user. Adds counter changes to
    `deltas`, and changed saves to `events_out`.
    """
    if changed := _latest([event for event in events if isinstance(event, CollectionChanged)]):
        rows = [(one.actor_id, one.ref.entity_id, one.name, one.is_public, one.deleted, one.version) for one in changed]
        await collections.write(transaction, rows)
    if saved := [event for event in events if isinstance(event, Saved)]:
        await _apply_saves(transaction, saved, deltas, events_out)


def _latest(events: Iterable[E]) -> list[E]:
    return list({(event.actor_id, event.ref): event for event in sorted(events, key=attrgetter("version"))}.values())


async def _apply_saves(
    transaction: Transaction, events: Sequence[Saved], deltas: CounterDeltas, events_out: OutgoingEvents
) -> None:
    last = {(event.actor_id, *event.ref): event for event in _latest(events)}
    rows = [(*place, event.collection_id, event.version) for place, event in sorted(last.items())]
    changed = await save_rows.write_saves(transaction, rows)
    for user, business, entity, was, collection_id in changed:
        event = last[user, business, entity]
        if delta := _weight(collection_id) - _weight(was):
            deltas.add(event.ref, CounterKind.SAVES, delta, event.partition)
    written = {(user, EntityRef(business, entity)): was for user, business, entity, was, _ in changed}
    for user, ref in {
        (event.actor_id, event.ref)
        for event in events
        if written.get((event.actor_id, event.ref), event.collection_id) != event.collection_id
    }:
        outgoing.saved(events_out, last[user, *ref])
    for event in events:
        # The batch may undo this change. The watermark shows readers that the counter includes it, as of likes.
        moves = event.was is None or _weight(event.was) != _weight(event.collection_id)
        if moves and (event.actor_id, event.ref) in written:
            deltas.add(event.ref, CounterKind.SAVES, 0, event.partition)


def _weight(collection_id: int) -> int:
    """Returns what a save adds to the number of saves of its target."""
    return int(collection_id != NOT_SAVED)
