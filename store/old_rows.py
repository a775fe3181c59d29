"""Removes old rows in batches: actions, likes by day, and logs.

A removed action stays counted: the same statement adds it to the number in `swept_records`. So a counter is always the
sum of `records` and `swept_records`.
"""

from collections.abc import Sequence

from sqlalchemy import TextClause, text

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


async def remove_actions(postgres: Postgres, before: int) -> int:
    """Removes a batch of actions whose versions are lower than `before`. Returns the number of removed rows.

    For all functions of this module: a number below BATCH means that no such rows are left.
    """
    return await _remove(postgres, _RECORDS, before=before)


async def remove_daily_likes(postgres: Postgres, businesses: Sequence[int], before: int) -> int:
    """Removes a batch of the rows that count an entity's likes of one day, for days earlier than `before`. Days are
    counted from the Unix epoch. Returns the number of removed rows.
    """
    return await _remove(postgres, _DAILY_LIKES, businesses=businesses, before=before)


async def remove_like_log(postgres: Postgres, before: int) -> int:
    """Removes a batch of lines of the log of likes whose versions are lower than `before`. Returns the number of
    removed lines.
    """
    return await _remove(postgres, _LIKE_LOG, before=before)


async def remove_follow_log(postgres: Postgres, before: int) -> int:
    """Removes a batch of lines of the log of follows whose versions are lower than `before`. Returns the number of
    removed lines.
    """
    return await _remove(postgres, _FOLLOW_LOG, before=before)


async def _remove(postgres: Postgres, rows: TextClause, **parameters: object) -> int:
    async with postgres.transaction() as transaction:
        removed = await transaction.execute(rows, **parameters)
    return int(removed[0][0])
