"""Removes old rows in batches: actions, likes by day, logs, and submissions with their networks and devices.

A removed action stays counted: the same statement adds it to the number in `swept_records`. So a counter is always the
sum of `records` and `swept_records`.
"""

from sqlalchemy import text

from store.postgres.client import Postgres

BATCH = 1000


def _oldest(table: str) -> str:
    """Returns an SQL statement that removes up to BATCH of the oldest rows of a table: rows whose version is lower than
    the parameter `before`.
    """
    return f"""
        DELETE FROM {table} WHERE ctid = ANY(ARRAY(
            SELECT ctid FROM {table} WHERE version < :before ORDER BY version LIMIT {BATCH}
        ))
    """  # noqa: S608 - a constant


_RECORDS = text(f"""
    WITH gone AS ({_oldest("records")} RETURNING business_id, kind, entity_id),
    counted AS (
        INSERT INTO swept_records AS s (business_id, kind, entity_id, value)
        SELECT business_id, kind, entity_id, count(*) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (business_id, kind, entity_id) DO UPDATE SET value = s.value + excluded.value
    )
    SELECT count(*) FROM gone
""")  # noqa: S608 - constants
_DAILY_LIKES = text(f"""
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
_LIKE_LOG, _FOLLOW_LOG = (
    text(f"WITH gone AS ({_oldest(table)} RETURNING 1) SELECT count(*) FROM gone")  # noqa: S608 - a constant
    for table in ("like_log", "follow_log")
)
_TRACES = text(f"""
    WITH old AS MATERIALIZED (
        SELECT author_id, business_id, entity_id FROM traces
        WHERE at_ms < :before AND (network IS NOT NULL OR device IS NOT NULL) ORDER BY at_ms LIMIT {BATCH}
    ), gone AS (
        DELETE FROM traces t USING old
        WHERE t.author_id = old.author_id AND t.business_id = old.business_id AND t.entity_id = old.entity_id
          AND t.at_ms < :before
        RETURNING 1
    )
    SELECT count(*) FROM gone
""")  # noqa: S608 - a constant
_STATEMENTS = {
    "records": _RECORDS,
    "daily_likes": _DAILY_LIKES,
    "like_log": _LIKE_LOG,
    "follow_log": _FOLLOW_LOG,
    "traces": _TRACES,
}


async def remove(postgres: Postgres, table: str, **parameters: object) -> int:
    """Removes a batch of rows of a table whose versions are lower than `before`. For `daily_likes`: rows of the
    businesses `businesses` whose days, counted from the Unix epoch, are earlier than `before`. For `traces`: rows with
    a network or a device whose times, in milliseconds, are earlier than `before`.

    Returns the number of removed rows. A number below BATCH means that no such rows are left.
    """
    async with postgres.transaction() as transaction:
        removed = await transaction.execute(_STATEMENTS[table], **parameters)
    return int(removed[0][0])
