"""Workers at work, step by step or in a loop of their own; and a batch for them, with what must be stored of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from tests.system import System
from tests.workers.writing import neighbours, states
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
