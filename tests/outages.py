"""Ways in which a store can be away, and back when the application knows it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import psutil
import pytest

from runner.server import Server
from store.postgres import Postgres
from store.redis import Redis

Away = Callable[[Server, Postgres | Redis], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def stopped(server: Server, store: Postgres | Redis) -> AsyncIterator[None]:
    """It refuses connections."""
    server.stop()
    try:
        yield
    finally:
        server.start()
    await known_to_be_back(store)


@asynccontextmanager
async def hanging(server: Server, store: Postgres | Redis) -> AsyncIterator[None]:
    """It accepts connections and says nothing, as after SIGSTOP or on a disk that does not answer."""
    main = psutil.Process(server.pid)
    family = [main, *main.children(recursive=True)]
    for process in family:
        process.suspend()
    try:
        yield
    finally:
        for process in reversed(family):
            process.resume()
    await known_to_be_back(store)


async def known_to_be_back(store: Postgres | Redis) -> None:
    """Returns when the application would ask it again."""
    async with asyncio.timeout(10):
        while not store.is_up:
            await asyncio.sleep(0.01)


both_ways = pytest.mark.parametrize("away", [stopped, hanging])
