"""Writes views and shares to rows, and counts rows that are new.

The key of a view contains its hour, that of a share its version. So a view counts once per actor and hour.
"""

from collections.abc import Sequence

from projections.events import ViewedOrShared
from store.postgres.client import Transaction
from store.reactions.counts import CounterDeltas
from store.reactions.views_and_shares import Bucket, insert_records
from store.write_log.pending import VIEW


async def apply(transaction: Transaction, events: Sequence[ViewedOrShared], deltas: CounterDeltas) -> None:
    """Inserts the views and shares that have no row yet, and adds them to `deltas`."""
    by_key: dict[Bucket, ViewedOrShared] = {}
    for event in events:
        by_key.setdefault(_key(event), event)
    rows = [(*key, event.version) for key, event in sorted(by_key.items())]
    for key in await insert_records(transaction, rows):
        event = by_key[key]
        deltas.add(event.ref, event.counter, 1, event.partition)


def _key(event: ViewedOrShared) -> Bucket:
    bucket = event.hour if event.what == VIEW else event.version
    return (event.actor_id, *event.ref, int(event.counter), bucket)
