"""Workers at work, step by step or in a loop of their own; and a batch for them, with what must be stored of it."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from store.write_log.journal import Entry
from tests.support.journal_entries import neighbours, states
from tests.support.system import System
from workers.partitions import Partition
from workers.worker import Worker

LIKE = "mutation ($id: ID!) { like(input: {targetId: $id}) { userErrors { code } } }"
COUNTS = "SELECT business_id, kind, value FROM counters ORDER BY business_id, kind"


async def ready(system: System) -> Worker:
    """A worker that owns its share of the partitions, to be stepped."""
    worker = system.worker()
    await worker.ownership.renew()
    return worker


@asynccontextmanager
async def working(worker: Worker) -> AsyncIterator[None]:
    """The worker's own loop, stopped as SIGTERM stops it."""
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
    """Two likes, one of which is taken back and given again, in one partition; and a dislike."""
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
    """So long after the last renewal that whoever held a partition holds it no more."""
    await system.rows("UPDATE partitions SET lease_until = now() - interval '1 second' RETURNING p")
    await system.rows("UPDATE workers SET seen_until = now() - interval '1 second' RETURNING worker")


async def in_hand(worker: Worker) -> tuple[dict[int, Partition], list[Entry]]:
    """A batch that a worker has read and done nothing about."""
    owned = dict(worker.owned)
    return owned, await worker.read(owned)


async def settled(system: System, worker: Worker) -> None:
    """Works everything off, and lets the settle time pass."""
    while await worker.step():
        pass
    await worker.sweeper.sweep(time.monotonic() + system.settings.pending_seconds)
    await worker.sweeper.trim(list(worker.owned.values()))
