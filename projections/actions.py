"""Writes recorded actions (views, shares, and those that businesses count themselves) to rows, and counts new rows.

The key of a row contains the action's hour if it counts once per actor and hour, as views do; otherwise its version.
"""

from collections.abc import Sequence

from projections.events.reactions import ActionRecorded
from store.postgres.client import Transaction
from store.reactions.actions import Bucket, insert_actions
from store.reactions.counts import CounterDeltas


async def apply(transaction: Transaction, events: Sequence[ActionRecorded], deltas: CounterDeltas) -> None:
    """Inserts a row for each action that has none yet, and adds 1 to the action's counter in `deltas`."""
    by_key: dict[Bucket, ActionRecorded] = {}
    for event in events:
        by_key.setdefault(_key(event), event)
    rows = [(*key, event.version) for key, event in sorted(by_key.items())]
    for key in await insert_actions(transaction, rows):
        event = by_key[key]
        deltas.add(event.ref, event.counter, 1, event.partition)


def _key(event: ActionRecorded) -> Bucket:
    return (event.actor_id, *event.ref, int(event.counter), event.bucket)
