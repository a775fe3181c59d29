"""Removes old rows in batches: recorded actions such as views, likes by day, lines of the logs of likes and follows,
and traces of submissions that have a network or a device.

A removed action stays counted: the statement that removes its row from `records` adds it to the number in
`swept_records`. So a counter of actions is always the number of rows in `records` plus the number in `swept_records`.
"""

from sqlalchemy import text

from store.log_partitions import LOGS
from store.postgres.client import Postgres

BATCH = 1000


_OLDEST = "version < :before ORDER BY version"


def _gone(table: str, key: str, oldest: str = _OLDEST, also: str = "true") -> str:
    """Returns SQL that begins with WITH and defines the table expression `gone`, which removes up to BATCH rows of a
    table and returns their keys.

    `key` has the columns of the primary key. `oldest` has the condition for the rows to remove, and their order. `also`
    is a condition on the table, as `t`, with which Postgres skips partitions that have no such rows.
    """
    mine, old = (", ".join(f"{name}.{column}" for column in key.split(", ")) for name in ("t", "old"))
    return f"""
        WITH old AS MATERIALIZED (SELECT {key} FROM {table} WHERE {oldest} LIMIT {BATCH}),
        gone AS (DELETE FROM {table} t USING old WHERE ({mine}) = ({old}) AND {also} RETURNING {mine})
    """  # noqa: S608 - constants


_RECORDS = text(f"""
    {_gone("records", "actor_id, business_id, entity_id, kind, bucket")},
    counted AS (
        INSERT INTO swept_records AS s (business_id, kind, entity_id, value)
        SELECT business_id, kind, entity_id, count(*) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (business_id, kind, entity_id) DO UPDATE SET value = s.value + excluded.value
    )
    SELECT count(*) FROM gone
""")  # noqa: S608 - constants
_OF_DAYS = "business_id = ANY(CAST(:businesses AS smallint[])) AND day < :before"
_DAILY_LIKES, _LIKE_LOG, _FOLLOW_LOG = (
    text(f"{gone} SELECT count(*) FROM gone")  # noqa: S608 - constants
    for gone in (
        _gone("daily_likes", "business_id, day, entity_id", _OF_DAYS),
        *(_gone(log, "user_id, version", also="t.version < :before") for log in LOGS),
    )
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
    """Removes a batch of old rows of a table. Returns the number of removed rows; a number below BATCH means that no
    such rows are left. Raises PostgresDown.

    The meaning of the parameter `before` depends on the table. `records`, `like_log` and `follow_log`: removes rows
    whose version is lower. `daily_likes`: removes rows of the given `businesses` whose day, counted from the Unix
    epoch, is earlier. `traces`: removes rows with a network or a device whose time, in milliseconds since the Unix
    epoch, is earlier.
    """
    async with postgres.transaction() as transaction:
        removed = await transaction.execute(_STATEMENTS[table], **parameters)
    return int(removed[0][0])
