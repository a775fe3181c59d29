"""Follows of topics and entities: their rows and counters. A change with a newer version replaces an older one.
Counters change only if the rows have changed.
"""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from models.content_follows import CONTENT_FOLLOW, CONTENT_FOLLOWERS
from models.counters import EntityRef
from projections.batch import Batch
from projections.events import FLAGS, head_of
from projections.projection import Projection, count_targets, own_change
from store.outgoing.events.content_follows import CONTENT_FOLLOW_CHANGED
from store.people import content_follows
from store.write_log.journal import Entry


class ContentFollowed(NamedTuple):
    """An event: an actor followed a topic or entity, or unfollowed it."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    was: bool | None
    """Whether the actor followed the object before the event; None if that could not be read, because Redis or Postgres
    was down.
    """
    stands: bool
    name: str
    """The name of the topic; empty for an entity."""


def _parse(entry: Entry, data: dict[str, Any]) -> list[ContentFollowed]:
    was, name = entry.fields[b"was"], data["name"]
    if not isinstance(name, str):
        raise TypeError(f"{name!r} is not a name")
    before = None if was == b"?" else FLAGS[was]
    return [ContentFollowed(*head_of(entry, data), before, FLAGS[entry.fields[b"state"]], name)]


async def _apply(batch: Batch, events: Sequence[ContentFollowed]) -> None:
    """Writes the last follow of each object by each user. Adds counter changes and outgoing events to the batch."""
    last = {(event.actor_id, *event.ref): event for event in sorted(events, key=attrgetter("version"))}
    rows = [(*place, event.name, event.stands, event.version) for place, event in last.items()]
    changed = await content_follows.write(batch.transaction, rows)
    was = {(user, business, entity): before for user, business, entity, before in changed}
    for place, before in was.items():
        event = last[place]
        if delta := event.stands - before:
            batch.deltas.add(event.ref, CONTENT_FOLLOWERS, delta, event.partition)
    places = [((event.actor_id, *event.ref), event) for event in events]
    for place, event in places:
        # The batch may undo this change. The watermark shows readers that the counter includes it, as of likes.
        if event.was != event.stands and place in was:
            batch.deltas.add(event.ref, CONTENT_FOLLOWERS, 0, event.partition)
    for place in {place for place, event in places if was.get(place, event.stands) != event.stands}:
        event = last[place]
        batch.outgoing.add(
            *(CONTENT_FOLLOW_CHANGED, event.actor_id, event.ref.business_id, event.version, place),
            stands=event.stands,
            name=event.name,
        )


PROJECTION = Projection(
    (ContentFollowed,), {CONTENT_FOLLOW: _parse}, _apply, count_targets, pending=own_change(CONTENT_FOLLOW)
)
