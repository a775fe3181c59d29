"""Views and shares into rows: a view's bucket is its hour, a share's its own version; a row that is new is counted."""

from collections.abc import Sequence

from sqlalchemy import text

from projections.events import Recorded
from store.postgres.client import Transaction
from store.reactions.counts import Moves
from store.write_log.pending import VIEW

_INSERT = text("""
    INSERT INTO records (actor_id, business_id, entity_id, kind, bucket, version)
    SELECT * FROM unnest(CAST(:actors AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                         CAST(:kinds AS smallint[]), CAST(:buckets AS bigint[]), CAST(:versions AS bigint[]))
    ON CONFLICT DO NOTHING
    RETURNING actor_id, business_id, entity_id, kind, bucket
""")

Bucket = tuple[int, int, int, int, int]
"""A row's key: actor, business, entity, kind, bucket."""


async def apply(transaction: Transaction, events: Sequence[Recorded], moves: Moves) -> None:
    """Inserts what is new and adds it to `moves`."""
    by_key: dict[Bucket, Recorded] = {}
    for event in events:
        by_key.setdefault(_key(event), event)
    rows = sorted(by_key.items())
    fresh = await transaction.execute(
        _INSERT,
        actors=[key[0] for key, _ in rows],
        businesses=[key[1] for key, _ in rows],
        entities=[key[2] for key, _ in rows],
        kinds=[key[3] for key, _ in rows],
        buckets=[key[4] for key, _ in rows],
        versions=[event.version for _, event in rows],
    )
    for key in fresh:
        event = by_key[tuple(key)]
        moves.add(event.ref, event.counter, 1, event.partition)


def _key(event: Recorded) -> Bucket:
    bucket = event.hour if event.what == VIEW else event.version
    return (event.actor_id, *event.ref, int(event.counter), bucket)
