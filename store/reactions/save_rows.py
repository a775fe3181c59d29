"""Writes the rows of users' saves: which entity, post or comment is saved in which collection."""

from collections.abc import Sequence

from sqlalchemy import text

from store.postgres.client import Rows, Transaction
from store.postgres.columns import columns

# prev_collection_id returns the value that this statement replaced, as prev_state of reactions (like_rows.py).
_UPSERT = text("""
    INSERT INTO saves AS s (user_id, business_id, entity_id, collection_id, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                         CAST(:collections AS bigint[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, business_id, entity_id) DO UPDATE SET
        prev_collection_id = s.collection_id, collection_id = excluded.collection_id, version = excluded.version
    WHERE s.version < excluded.version
    RETURNING user_id, business_id, entity_id, prev_collection_id, collection_id
""")

SaveRow = tuple[int, int, int, int, int]
"""A save: user, business, entity, collection, version."""


async def write_saves(transaction: Transaction, rows: Sequence[SaveRow]) -> Rows:
    """Writes saves, except those whose stored rows have the same or a higher version.

    Returns the written rows: (user, business, entity, previous collection, collection).
    """
    names = "users", "businesses", "entities", "collections", "versions"
    return await transaction.execute(_UPSERT, **columns(rows, *names))
