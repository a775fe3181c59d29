"""Reads what an action has cost: queries, rows, buffers, WAL and time in Postgres, and commands in Redis."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import asyncpg

from bench.machine import Machine

SETTINGS = {
    "shared_preload_libraries": "pg_stat_statements",
    "pg_stat_statements.track_utility": "off",
    # Vacuum runs at known times, and checkpoints, after which pages are written to the WAL as a whole.
    "autovacuum": "off",
    "checkpoint_timeout": "1h",
    "max_wal_size": "2GB",
    "shared_buffers": "1GB",
}
"""The settings of Postgres for these measurements. The size of `shared_buffers` does not change how many buffers a
query reads.
"""
# What processes ask again and again has nothing to do with the action.
_POLLED = r"\y(modes|nodes|workers|partitions|event_\w+|outgoing_\w+|persisted_\w+|untold|pg_\w+)\y"
_STATEMENTS = f"""
    SELECT query, calls, rows, shared_blks_hit + shared_blks_read AS buffers, wal_bytes, wal_fpi,
           total_exec_time AS ms
    FROM pg_stat_statements WHERE query !~ '{_POLLED}' ORDER BY buffers DESC
"""
_CONNECTING = {"info", "select", "time", "scan", "del", "config", "client", "hello", "auth", "ping", "script"}
"""Redis commands that do not count: those of the benchmark itself, and those that set up a connection."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The average cost of one action: queries, and the rows and buffers that they read, in Postgres;
    commands in Redis.
    """

    queries: float
    rows: float
    buffers: float
    wal: float
    """The bytes that were written to Postgres's write-ahead log, including copies of whole pages."""
    pages: float
    """The number of whole pages in the write-ahead log. Postgres copies a page when it first changes after a
    checkpoint.
    """
    milliseconds: float
    """The time for which Postgres executed queries."""
    commands: float
    largest: str
    """The number of buffers of the statement that read the most, and the beginning of this statement."""


Action = Callable[[], Awaitable[int]]
"""Runs an action several times. Returns how many times."""


async def empty(machine: Machine) -> None:
    """Deletes everything in Redis except the journals and the number of the generation of keys."""
    redis = machine.state.redis.client
    names = [name async for name in redis.scan_iter(count=1000)]
    if cached := [name for name in names if not name.endswith((b":journal", b":generation"))]:
        await redis.delete(*cached)


async def of(machine: Machine, connection: asyncpg.Connection, action: Action) -> Cost:
    """Makes a checkpoint, and runs an action. Returns its average cost. `connection` must be that of a superuser."""
    redis = machine.state.redis.client
    await connection.execute("CHECKPOINT")
    await connection.fetchval("SELECT pg_stat_statements_reset()")
    await redis.execute_command("CONFIG", "RESETSTAT")
    times = await action()
    stats: dict[str, Any] = await redis.info("commandstats")
    asked = {name.removeprefix("cmdstat_").partition("|")[0]: figures["calls"] for name, figures in stats.items()}
    rows = await connection.fetch(_STATEMENTS)
    sums = [
        float(sum(row[name] for row in rows)) for name in ("calls", "rows", "buffers", "wal_bytes", "wal_fpi", "ms")
    ]
    commands = sum(calls for name, calls in asked.items() if name not in _CONNECTING)
    largest = f"{rows[0]['buffers'] / times:.0f}: {' '.join(rows[0]['query'].split())[:160]}" if rows else ""
    queries, returned, buffers, wal, pages, ms = (value / times for value in sums)
    return Cost(queries, returned, buffers, wal, pages, ms, commands / times, largest)
