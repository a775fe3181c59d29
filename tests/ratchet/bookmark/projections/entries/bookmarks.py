"""Bookmarks: their rows and counters."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from models.bookmarks import BOOKMARK, BOOKMARKS
from models.counters import EntityRef
from projections.batch import Batch
from projections.events import head_of
from projections.projection import Projection, count_targets, own_change
from store.outgoing.events.bookmarks import BOOKMARK_CHANGED
from store.reactions import bookmarks
from store.write_log.journal import Entry


class Bookmarked(NamedTuple):
    """An event: an actor bookmarked an object, or removed the bookmark."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    stands: bool


def _parse(entry: Entry, data: dict[str, Any]) -> list[Bookmarked]:
    return [Bookmarked(*head_of(entry, data), entry.fields[b"state"] == b"1")]


async def _apply(batch: Batch, events: Sequence[Bookmarked]) -> None:
    """Writes the last bookmark of each object by each user, and adds counter changes and outgoing events."""
    last = {(event.actor_id, *event.ref): event for event in sorted(events, key=attrgetter("version"))}
    rows = [(*place, event.stands, event.version) for place, event in sorted(last.items())]
    for *place, was in await bookmarks.write(batch.transaction, rows):
        event = last[tuple(place)]
        batch.deltas.add(event.ref, BOOKMARKS, event.stands - was, event.partition)
        batch.outgoing.add(
            BOOKMARK_CHANGED, event.actor_id, event.ref.business_id, event.version, place, stands=event.stands
        )


PROJECTION = Projection((Bookmarked,), {BOOKMARK: _parse}, _apply, count_targets, pending=own_change(BOOKMARK))
