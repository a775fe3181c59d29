"""Views, shares, and actions that businesses count themselves: writes them to rows, and counts new rows.

The key of a row contains the action's hour if it counts once per actor and hour, as views do; otherwise its version.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from models.actions import SHARE, VIEW
from models.counters import CounterKind, EntityRef
from projections.batch import Batch
from projections.events import RemovableChange, head_of
from projections.projection import Projection, count_targets
from store.reactions.actions import Bucket, insert_actions
from store.write_log.journal import Entry
from store.write_log.pending import PublishedChange

_COUNTERS = {VIEW: CounterKind.VIEWS, SHARE: CounterKind.SHARES}


class ActionRecorded(NamedTuple):
    """An event: an actor viewed or shared a post or entity, or did an action that its business counts."""

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    what: str
    """The kind of the entry."""
    counter: int
    """The counter that includes the action."""
    bucket: int
    """The hour of the action, counted from the Unix epoch, if it counts once per actor and hour;
    otherwise its version.
    """


def parse(entry: Entry, data: dict[str, Any]) -> list[ActionRecorded]:
    """Parses a journal entry. The kind of an action that a business counts is the id of its counter."""
    what = entry.fields[b"kind"].decode()
    counter = _COUNTERS.get(what) or int(what)
    bucket = int(data["hour"]) if data["once"] else entry.version
    return [ActionRecorded(*head_of(entry, data), what, counter, bucket)]


async def _apply(batch: Batch, events: Sequence[ActionRecorded]) -> None:
    """Inserts a row for each action that has none yet, and adds 1 to the action's counter."""
    by_key: dict[Bucket, ActionRecorded] = {}
    for event in events:
        by_key.setdefault(_key(event), event)
    rows = [(*key, event.version) for key, event in sorted(by_key.items())]
    for key in await insert_actions(batch.transaction, rows):
        event = by_key[key]
        batch.deltas.add(event.ref, event.counter, 1, event.partition)


def _key(event: ActionRecorded) -> Bucket:
    return (event.actor_id, *event.ref, int(event.counter), event.bucket)


def _pending(event: ActionRecorded) -> RemovableChange:
    return PublishedChange(event.actor_id, (event.what, event.ref), event.version)


PROJECTION = Projection((ActionRecorded,), {VIEW: parse, SHARE: parse}, _apply, count_targets, pending=_pending)
