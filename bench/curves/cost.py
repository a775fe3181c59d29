"""Reads what actions have cost: queries, rows, buffers, WAL and time in Postgres, and commands in Redis."""

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
"""The settings of Postgres for these measurements. The number of buffers does not depend on `shared_buffers`."""
# What processes ask again and again has nothing to do with the action.
_POLLED = r"\y(modes|nodes|workers|partitions|event_\w+|outgoing_\w+|persisted_\w+|untold|pg_\w+)\y"
_STATEMENTS = f"""
    SELECT query, calls, rows, shared_blks_hit + shared_blks_read AS buffers, wal_bytes, wal_fpi,
           total_exec_time AS ms
    FROM pg_stat_statements WHERE query !~ '{_POLLED}' ORDER BY buffers DESC
"""
_CONNECTING = {"info", "select", "time", "scan", "del", "config", "client", "hello", "auth", "ping", "script"}
"""Commands of the benchmark itself, and those that set up a connection."""


@dataclass(frozen=True, slots=True)
class Cost:
    """The average cost of one action."""

    queries: float
    rows: float
    buffers: float
    wal: float
    """Bytes of WAL, with the whole pages."""
    pages: float
    """Whole pages in the WAL: those that were changed for the first time after a checkpoint."""
    milliseconds: float
    """The time in which Postgres executed queries."""
    commands: float
    largest: str
    """The beginning of the statement that read the most buffers, and their number."""


Action = Callable[[], Awaitable[int]]
"""Does something some times. Returns how many times."""


async def empty(machine: Machine) -> None:
    """Removes all that is cached. The journals stay."""
    redis = machine.state.redis.client
    names = [name async for name in redis.scan_iter(count=1000)]
    if cached := [name for name in names if not name.endswith((b":journal", b":generation"))]:
        await redis.delete(*cached)


async def of(machine: Machine, connection: asyncpg.Connection, action: Action) -> Cost:
    """Runs an action after a checkpoint. Returns what it has cost each time."""
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
