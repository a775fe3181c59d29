"""Removing rows that only grow in number, a batch at a time: views and shares, likes by day, and logs.

A view or share that is removed goes on being counted: it moves to the number in `swept_records` in the same statement.
So the counters are always what `records` and `swept_records` add up to.
"""

from collections.abc import Mapping

from sqlalchemy import TextClause, text

from store.postgres.client import Postgres

BATCH = 1000


def _oldest(table: str) -> str:
    """Removes the oldest rows of a table that has versions."""
    return f"""
        DELETE FROM {table} WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM {table} WHERE version < :before ORDER BY version LIMIT {BATCH}
        ))
    """  # noqa: S608 - a constant


RECORDS = text(f"""
    WITH gone AS ({_oldest("records")} RETURNING business_id, kind, entity_id),
    counted AS (
        INSERT INTO swept_records AS s (business_id, kind, entity_id, value)
        SELECT business_id, kind, entity_id, count(*) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (business_id, kind, entity_id) DO UPDATE SET value = s.value + excluded.value
    )
    SELECT count(*) FROM gone
""")  # noqa: S608 - constants
DAILY_LIKES = text(f"""
    WITH gone AS (
        DELETE FROM daily_likes WHERE ctid = ANY(ARRAY(
            SELECT old.ctid FROM unnest(CAST(:businesses AS smallint[])) AS b(business_id)
            CROSS JOIN LATERAL (
                SELECT ctid FROM daily_likes d WHERE d.business_id = b.business_id AND d.day < :before LIMIT {BATCH}
            ) AS old LIMIT {BATCH}
        )) RETURNING 1
    )
    SELECT count(*) FROM gone
""")  # noqa: S608 - constants
LIKE_LOG, FOLLOW_LOG = (
    text(f"WITH gone AS ({_oldest(table)} RETURNING 1) SELECT count(*) FROM gone")  # noqa: S608 - a constant
    for table in ("like_log", "follow_log")
)


async def remove(postgres: Postgres, rows: TextClause, parameters: Mapping[str, object]) -> int:
    """Removes one batch. Returns how many rows it had; fewer than BATCH where none are left."""
    async with postgres.transaction() as transaction:
        removed = await transaction.execute(rows, **parameters)
    return int(removed[0][0])
