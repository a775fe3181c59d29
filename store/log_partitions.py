"""The partitions of the logs of likes and follows: one for each week, and one for lines of all other times."""

from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import text

from store.postgres.client import Postgres, Rows, Transaction
from store.write_log.journal import version_at, version_ms

LOGS = "like_log", "follow_log"
WEEK_MS = 7 * 86_400_000
_READ = text(r"""
    SELECT c.relname AS name, pg_has_role(c.relowner, 'USAGE') AND pg_has_role(p.relowner, 'USAGE') AS is_own,
           CAST(substring(pg_get_expr(c.relpartbound, c.oid) FROM $$TO \('?(\d+)$$) AS bigint) AS until
    FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid JOIN pg_class p ON p.oid = inhparent
    WHERE inhparent = to_regclass(CAST(:table AS text)) ORDER BY until
""")
"""Returns the partitions of a table. The bound `until` of the default partition is null."""
_LOCK = text("""
    SELECT set_config('lock_timeout', '1s', true), pg_advisory_xact_lock(hashtext('plaudit.log_partitions'))
""")
"""Waits for another worker that changes partitions. Later statements of the transaction wait for locks at most a
second, because writers wait behind them.
"""
_LINES = {
    log: text(f"SELECT 1 FROM {log} WHERE version >= :begin AND version < :until LIMIT 1")  # noqa: S608 - constants
    for log in LOGS
}


class Partition(NamedTuple):
    """A partition: its name, whether this process's role owns it and the log, and the lowest version that is too high
    for it.
    """

    name: str
    is_own: bool
    until: int


async def read(postgres: Postgres, log: str) -> list[Partition]:
    """Returns the partitions of a log, oldest first, without the default one."""
    return _bounded(await postgres.read(_READ, table=log))


async def create_next(postgres: Postgres, log: str, until: int) -> str | None:
    """Creates the partition of the week after the last one, if the last one ends before the version `until`. Returns
    its name; None if there is nothing to do or the role does not own the log.

    Also returns None if the default partition has lines of this week. Then no partition can be created.
    Raises PostgresDown if the log is in use for more than a second.
    """
    if not _is_due(await read(postgres, log), until):
        return None
    async with postgres.transaction() as transaction:
        found = await _locked(transaction, log)
        if not _is_due(found, until):
            return None
        begin = found[-1].until
        end = version_at(version_ms(begin) + WEEK_MS)
        if await transaction.execute(_LINES[log], begin=begin, until=end):
            return None
        name = f"{log}_{datetime.fromtimestamp(version_ms(begin) / 1000, UTC):%Y%m%d}"
        await transaction.execute(text(f"CREATE TABLE {name} PARTITION OF {log} FOR VALUES FROM ({begin}) TO ({end})"))
    return name


async def drop_oldest(postgres: Postgres, log: str, before: int) -> str | None:
    """Drops the oldest partition, with all its lines, if all its versions are lower than `before`. Returns its name;
    None if there is nothing to do or the role does not own the partition. The last partition stays.

    Raises PostgresDown if the log is in use for more than a second. Nothing is dropped then.
    """
    if not _is_old(await read(postgres, log), before):
        return None
    async with postgres.transaction() as transaction:
        found = await _locked(transaction, log)
        if not _is_old(found, before):
            return None
        await transaction.execute(text(f"DROP TABLE {found[0].name}"))
    return found[0].name


async def _locked(transaction: Transaction, log: str) -> list[Partition]:
    await transaction.execute(_LOCK)
    return _bounded(await transaction.execute(_READ, table=log))


def _bounded(rows: Rows) -> list[Partition]:
    return [Partition(*row) for row in rows if row.until is not None]


def _is_due(found: list[Partition], until: int) -> bool:
    return bool(found) and found[-1].is_own and found[-1].until < until


def _is_old(found: list[Partition], before: int) -> bool:
    return len(found) > 1 and found[0].is_own and found[0].until <= before
