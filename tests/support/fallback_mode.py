"""Turns a running system to fallback mode, in which writes go straight to Postgres, and back."""

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
    """Turns fallback mode on, as if Redis had been down for a while."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(_BEGUN)
    async with asyncio.timeout(20):
        while not system.state.write_mode.current.direct:  # a look fails over a connection that Postgres has closed
            await system.state.write_mode.refresh()


@asynccontextmanager
async def worker_apart(system: System, name: str = "apart", **settings: Any) -> AsyncIterator[Worker]:
    """Starts a worker with connections of its own that owns all partitions. A test steps it."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(_FREE)
        await transaction.execute(_FORGET)
    async with opened(
        system.settings.model_copy(update=settings), "worker", makes_ids=False, obeys_term=False
    ) as state:
        worker = Worker(state, name)
        await worker.ownership.renew()
        yield worker
        await worker.ownership.leave()


async def end(system: System) -> None:
    """Lets a worker end fallback mode, and the API notice it."""
    async with worker_apart(system) as worker, asyncio.timeout(20):
        while worker.state.write_mode.current.direct:
            await worker.direct_writes.step()
    await system.state.write_mode.refresh()


@asynccontextmanager
async def directly(system: System) -> AsyncIterator[None]:
    """Turns fallback mode on while the block runs."""
    await begin(system)
    yield
    await end(system)
