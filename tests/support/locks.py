"""Rows that a test locks, and transactions that wait for locks."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text

from store.postgres.client import Transaction
from tests.support import citus
from tests.support.system import System

_WAITING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
_WAITING_ON_NODES = "SELECT count(DISTINCT waiting_gpid) FROM citus_lock_waits"


@asynccontextmanager
async def locked(system: System, rows: str, **parameters: object) -> AsyncIterator[Transaction]:
    """Locks rows in another transaction, and yields it while the block runs. On Citus, the rows must be in one shard,
    which the condition of `rows` names.
    """
    async with system.state.postgres.transaction() as transaction:
        assert await transaction.execute(text(f"{rows} FOR UPDATE"), **parameters)
        yield transaction


async def waiting_for_locks(system: System, many: int) -> None:
    """Returns when this many transactions wait for locks."""
    sql = _WAITING_ON_NODES if citus.IS_TESTED else _WAITING
    async with asyncio.timeout(20):
        while await system.rows(sql) != [(many,)]:
            await asyncio.sleep(0.01)
