"""The Postgres partitions of the tables `like_log` and `follow_log`: one partition for each week, and a default
partition for rows of all other times.
"""

from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import text

from domain.versions import version_at, version_ms
from store.postgres.client import Postgres

LOGS = "like_log", "follow_log"
WEEK_MS = 7 * 86_400_000
_READ = text(r"""
    SELECT c.oid::regclass::text AS name,
           pg_has_role(c.relowner, 'USAGE') AND pg_has_role(p.relowner, 'USAGE') AS is_own,
           CAST(substring(pg_get_expr(c.relpartbound, c.oid) FROM $$TO \('?(\d+)$$) AS bigint) AS until
    FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid JOIN pg_class p ON p.oid = inhparent
    WHERE inhparent = to_regclass(CAST(:table AS text)) ORDER BY until
""")
"""Returns the partitions of a table. The bound `until` of the default partition is null."""
_WAIT = text("SET LOCAL lock_timeout = '2s'")
"""Limits how long a statement waits for the lock of a table, because writers wait behind it. The limit must be longer
than `deadlock_timeout` (1 s), after which Postgres ends an autovacuum that holds the lock.
"""
_ROWS = {
    log: text(f"SELECT 1 FROM {log} WHERE version >= :begin AND version < :until LIMIT 1")  # noqa: S608 - constants
    for log in LOGS
}
_HELD = "SELECT 1 FROM legal_holds h WHERE EXISTS (SELECT FROM {name} l WHERE l.user_id = h.user_id) LIMIT 1"


class LogPartition(NamedTuple):
    """A weekly partition of a log. `is_own` is whether the Postgres role of this process owns the partition and the
    log. All versions in the partition are lower than `until`; a version contains a time (domain/versions.py).
    """

    name: str
    is_own: bool
    until: int


async def read(postgres: Postgres, log: str) -> list[LogPartition]:
    """Returns the partitions of the table `log` (one of LOGS), oldest first, without the default partition."""
    return [LogPartition(*row) for row in await postgres.read(_READ, table=log) if row.until is not None]


async def create_next(postgres: Postgres, log: str, until: int) -> str | None:
    """Creates the partition of the next week, if the newest partition ends before the version `until`. Returns the name
    of the new partition; None if there is nothing to do or the role does not own the log.

    Also returns None if the default partition has rows of that week, because Postgres then refuses to create it. Raises
    PostgresDown if the log is in use for more than two seconds. Raises DBAPIError if the role may not create tables.
    """
    found = await read(postgres, log)
    if not found or not found[-1].is_own or found[-1].until >= until:
        return None
    begin = found[-1].until
    end = version_at(version_ms(begin) + WEEK_MS)
    name = f"{log}_{datetime.fromtimestamp(version_ms(begin) / 1000, UTC):%Y%m%d}"
    async with postgres.transaction() as transaction:
        await transaction.execute(_WAIT)
        if await transaction.execute(_ROWS[log], begin=begin, until=end):
            return None
        await transaction.execute(text(f"CREATE TABLE {name} PARTITION OF {log} FOR VALUES FROM ({begin}) TO ({end})"))
    return name


async def drop_oldest(postgres: Postgres, log: str, before: int) -> str | None:
    """Drops the oldest partition, with all its rows, if all its versions are lower than `before`. Skips partitions with
    rows of users under a legal hold. Returns the name of the dropped partition; None if there is nothing to do or the
    role does not own the partition. The last partition stays.

    Raises PostgresDown, and drops nothing, if the log is in use for more than two seconds.
    """
    for one in (await read(postgres, log))[:-1]:
        if not one.is_own or one.until > before:
            break
        if not await postgres.read(text(_HELD.format(name=one.name))):
            async with postgres.transaction() as transaction:
                await transaction.execute(_WAIT)
                await transaction.execute(text(f"DROP TABLE {one.name}"))
            return one.name
    return None
