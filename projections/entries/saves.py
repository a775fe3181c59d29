"""Saves: their rows and counters. A change with a newer version replaces an older one. Counters change only if the rows
have changed.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from models.counters import CounterKind, EntityRef
from models.saves import NOT_SAVED, SAVE
from projections.batch import Batch
from projections.events import head_of
from projections.projection import Projection, count_targets, own_change
from store.outgoing.events.saves import SAVE_CHANGED
from store.reactions import save_rows
from store.write_log.journal import Entry


class Saved(NamedTuple):
    """An event: an actor saved an entity, post or comment into a collection, or removed the save."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    was: int | None
    """The id of the collection before the event; None if it could not be read, because Redis or Postgres was down."""
    collection_id: int
    """The id of the collection after the event: DEFAULT for no collection, NOT_SAVED if the save was removed."""


def _parse(entry: Entry, data: dict[str, Any]) -> list[Saved]:
    was, collection_id = entry.fields[b"was"], int(entry.fields[b"state"])
    before = None if was == b"?" else int(was)
    if min(before or NOT_SAVED, collection_id) < NOT_SAVED:
        raise ValueError(f"{before} or {collection_id} is not a collection")
    return [Saved(*head_of(entry, data), before, collection_id)]


async def _apply(batch: Batch, events: Sequence[Saved]) -> None:
    """Writes the last save of each target by each user. Adds counter changes and outgoing events to the batch."""
    last = {(event.actor_id, *event.ref): event for event in sorted(events, key=attrgetter("version"))}
    rows = [(*place, event.collection_id, event.version) for place, event in sorted(last.items())]
    changed = await save_rows.write_saves(batch.transaction, rows)
    was = {(user, business, entity): before for user, business, entity, before, _ in changed}
    for place, before in was.items():
        event = last[place]
        if delta := _weight(event.collection_id) - _weight(before):
            batch.deltas.add(event.ref, CounterKind.SAVES, delta, event.partition)
    for event in events:
        # The batch may undo this change. The watermark shows readers that the counter includes it, as of likes.
        moves = event.was is None or _weight(event.was) != _weight(event.collection_id)
        if moves and (event.actor_id, *event.ref) in was:
            batch.deltas.add(event.ref, CounterKind.SAVES, 0, event.partition)
    places = [((event.actor_id, *event.ref), event.collection_id) for event in events]
    for place in {place for place, collection_id in places if was.get(place, collection_id) != collection_id}:
        event = last[place]
        batch.outgoing.add(
            *(SAVE_CHANGED, event.actor_id, event.ref.business_id, event.version, place),
            collection=event.collection_id,
        )


def _weight(collection_id: int) -> int:
    """Returns what a save in this collection adds to its target's number of saves: 1, or 0 for NOT_SAVED."""
    return int(collection_id != NOT_SAVED)


PROJECTION = Projection((Saved,), {SAVE: _parse}, _apply, count_targets, pending=own_change(SAVE))
