"""Bells: their rows."""

from collections.abc import Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from models.bells import BELL
from models.counters import EntityRef
from projections.batch import Batch
from projections.events import FLAGS, head_of
from projections.projection import Projection, own_change
from store.people import bells
from store.write_log.journal import Entry


class BellSet(NamedTuple):
    """An event: an actor switched the notifications about an author's new posts on or off."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    stands: bool


def _parse(entry: Entry, data: dict[str, Any]) -> list[BellSet]:
    return [BellSet(*head_of(entry, data), FLAGS[entry.fields[b"state"]])]


async def _apply(batch: Batch, events: Sequence[BellSet]) -> None:
    """Writes the last state of each bell to its row."""
    last = {(one.actor_id, one.ref): one for one in sorted(events, key=attrgetter("version"))}
    rows = [(one.actor_id, one.ref.entity_id, one.stands, one.version) for one in last.values()]
    if rows:
        await bells.write(batch.transaction, rows)


PROJECTION = Projection((BellSet,), {BELL: _parse}, _apply, pending=own_change(BELL))
