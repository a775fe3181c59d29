"""Preferences of users: writes their rows."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from models.counters import EntityRef
from models.preferences import PREFERENCE, preference_ref
from projections.batch import Batch
from projections.events import FLAGS, head_of
from projections.projection import Projection, own_change
from store.people import content_follows
from store.write_log.journal import Entry


class PreferenceChanged(NamedTuple):
    """An event: an actor switched a preference on, or off if `stands` is false."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    """The reference of the preference (`preference_ref`)."""
    stands: bool


def _parse(entry: Entry, data: dict[str, Any]) -> list[PreferenceChanged]:
    event = PreferenceChanged(*head_of(entry, data), FLAGS[entry.fields[b"state"]])
    if event.ref != preference_ref(event.ref.entity_id):
        raise ValueError(f"{event.ref} is not a preference")
    return [event]


async def _apply(batch: Batch, events: Sequence[PreferenceChanged]) -> None:
    """Writes the last state of each preference of each user."""
    last = {(event.actor_id, event.ref): event for event in sorted(events, key=attrgetter("version"))}
    rows = [(event.actor_id, event.ref.entity_id, event.stands, event.version) for event in last.values()]
    await content_follows.write_preferences(batch.transaction, rows)


PROJECTION = Projection((PreferenceChanged,), {PREFERENCE: _parse}, _apply, pending=own_change(PREFERENCE))
