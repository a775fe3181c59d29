"""Workers that a test steps or runs, the end of their leases, and a batch with the rows that it must store."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from store.write_log.journal import Entry
from tests.support.journal_entries import neighbours, states
from tests.support.system import System
from workers.ownership import Partition
from workers.worker import Worker

LIKE = "mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } } }"
COUNTS = "SELECT business_id, kind, value FROM counters ORDER BY business_id, kind"


async def ready(system: System) -> Worker:
    """Returns a worker that owns its share of the partitions. A test steps it."""
    worker = system.worker()
    await worker.ownership.renew()
    return worker


@asynccontextmanager
async def working(worker: Worker) -> AsyncIterator[None]:
    """Runs the worker's own loop while the block runs, then stops it as SIGTERM does."""
    stop = asyncio.Event()
    task = asyncio.create_task(worker.run(stop))
    try:
        yield
    finally:
        stop.set()
        await task


async def until(condition: Callable[[], Any], seconds: float = 30) -> None:
    async with asyncio.timeout(seconds):
        while not await condition():
            await asyncio.sleep(0.02)


async def three_likes(system: System, video: str) -> None:
    """Sends likes of two people, one of which is withdrawn and given again, and a dislike, all in one partition."""
    first, second, third = await neighbours(system, 3)
    await first.person.like(video)
    await second.person.like(video)
    await second.person.unlike(video)
    await second.person.like(video)
    await third.person.react("dislike", video)


async def assert_three_likes(system: System) -> None:
    assert await system.rows(COUNTS) == [(1, 5, 2), (100, 1, 2), (100, 2, 1)]
    assert sorted((await states(system)).values()) == [1, 1, 2]
    assert await system.rows("SELECT count(*) FROM like_log") == [(5,)]
    assert await system.rows("SELECT count(*) FROM dead_letters") == [(0,)]


async def leases_run_out(system: System) -> None:
    """Makes every lease expire."""
    await system.rows("UPDATE partitions SET lease_until = now() - interval '1 second' RETURNING p")
    await system.rows("UPDATE workers SET seen_until = now() - interval '1 second' RETURNING worker")


async def unhandled_batch(worker: Worker) -> tuple[dict[int, Partition], list[Entry]]:
    """Returns a batch that a worker has read and not handled."""
    owned = dict(worker.owned)
    return owned, await worker.read(owned)


async def settled(system: System, worker: Worker) -> None:
    """Handles all entries, and lets the settle time pass."""
    while await worker.step():
        pass
    await worker.sweeper.sweep(time.monotonic() + system.settings.pending_seconds)
    await worker.sweeper.trim(list(worker.owned.values()))
