"""Turning a running system to direct writing, and back as its workers do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import text

from state import opened
from tests.support.system import SEEN, System
from workers.worker import Worker

_BEGUN = text("""
    INSERT INTO modes (id, direct, generation, since) VALUES (1, true, 7, now() - interval '10 s')
    ON CONFLICT (id) DO UPDATE SET direct = true, generation = modes.generation + 1, since = excluded.since
""")

_FORGET = text("DELETE FROM workers")
_FREE = text("UPDATE partitions SET lease_until = '-infinity'")


async def reaction(system: System, handle: str, target: str) -> Any:
    return (await system.person(handle).ask(SEEN, id=target))["node"]["viewerReaction"]


async def begin(system: System) -> None:
    """Writes have been direct for a while, and the API knows."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(_BEGUN)
    async with asyncio.timeout(20):
        while not system.state.modes.current.direct:  # a look fails over a connection that Postgres has closed
            await system.state.modes.refresh()


@asynccontextmanager
async def worker_apart(system: System, **settings: Any) -> AsyncIterator[Worker]:
    """A worker with connections of its own, and all partitions, to be stepped."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(_FREE)
        await transaction.execute(_FORGET)
    async with opened(system.settings.model_copy(update=settings), "worker", makes_ids=False) as state:
        worker = Worker(state, "apart")
        await worker.ownership.renew()
        yield worker
        await worker.ownership.leave()


async def end(system: System) -> None:
    """A worker finds Redis there, and the API hears of it."""
    async with worker_apart(system) as worker, asyncio.timeout(20):
        while worker.state.modes.current.direct:
            await worker.recovery.step()
    await system.state.modes.refresh()


@asynccontextmanager
async def directly(system: System) -> AsyncIterator[None]:
    """Writes are direct while the block runs, and Redis is not touched by the API."""
    await begin(system)
    yield
    await end(system)
