"""Views, shares, and actions for which businesses define counters: writes them to rows, and counts new rows.

The key of a row contains the action's hour if the action counts once per actor and hour, as views do; otherwise the
version of its journal entry.
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
    """An event: an actor viewed or shared a post or entity, or did an action for which its business defines a
    counter.
    """

    partition: int
    version: int
    actor_id: int
    ref: EntityRef
    what: str
    """The kind of the journal entry: view, share, or the id of a counter."""
    counter: int
    """The number of the counter that counts the action."""
    bucket: int
    """The hour of the action, counted from the Unix epoch, if the action counts once per actor and hour; otherwise the
    version of the entry.
    """


def parse(entry: Entry, data: dict[str, Any]) -> list[ActionRecorded]:
    """Parses the journal entry of an action. The kind of the entry is a view, a share, or the id of the counter that a
    business defines.
    """
    what = entry.fields[b"kind"].decode()
    counter = _COUNTERS.get(what) or int(what)
    bucket = int(data["hour"]) if data["once"] else entry.version
    return [ActionRecorded(*head_of(entry, data), what, counter, bucket)]


async def _apply(batch: Batch, events: Sequence[ActionRecorded]) -> None:
    """Inserts a row for each action that has none yet, and adds 1 to the action's counter for each new row."""
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
