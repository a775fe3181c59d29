"""Collections of saves. A change with a newer version replaces an older one."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from models.collections import COLLECTION
from models.counters import EntityRef
from projections.batch import Batch
from projections.events import FLAGS
from projections.projection import Projection, own_change
from settings import COLLECTIONS
from store.reactions import collections
from store.write_log.journal import Entry


class CollectionChanged(NamedTuple):
    """An event: an actor created, changed or deleted a collection. The fields say how the collection is after the
    event.
    """

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    name: str
    is_public: bool
    deleted: bool


def _parse(entry: Entry, data: dict[str, Any]) -> list[CollectionChanged]:
    ref = EntityRef(COLLECTIONS, int(data["collection"]))
    left = (str(data["name"]), bool(data["public"]), False) if FLAGS[entry.fields[b"state"]] else ("", False, True)
    return [CollectionChanged(entry.partition, entry.version, int(data["actor"]), ref, *left)]


async def _apply(batch: Batch, events: Sequence[CollectionChanged]) -> None:
    """Writes the last state of each collection."""
    last = {(event.actor_id, event.ref): event for event in sorted(events, key=attrgetter("version"))}
    rows = [(e.actor_id, e.ref.entity_id, e.name, e.is_public, e.deleted, e.version) for e in last.values()]
    await collections.write(batch.transaction, rows)


PROJECTION = Projection((CollectionChanged,), {COLLECTION: _parse}, _apply, pending=own_change(COLLECTION))
