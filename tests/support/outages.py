"""Ways in which a store can be unavailable: stopped, hanging, or losing replies."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

import psutil
import pytest
from sqlalchemy import text

from runner.process import Process
from runner.server import Server
from store.postgres.client import Postgres
from store.redis.client import Redis, RedisDown
from store.scripts import Script

Away = Callable[[Server, Postgres | Redis], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def stopped(server: Server, store: Postgres | Redis) -> AsyncIterator[None]:
    """Stops a server while the block runs: it refuses connections."""
    server.stop()
    try:
        yield
    finally:
        server.start()
    await known_to_be_back(store)


def suspend(*servers: Server | Process) -> None:
    """Suspends processes and all their children."""
    for server in servers:
        assert server.pid, "the server does not run"
        main = psutil.Process(server.pid)
        main.suspend()  # first: then it has no more children
        for child in main.children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.suspend()


def resume(*servers: Server | Process) -> None:
    """Lets suspended processes go on."""
    for server in servers:
        main = psutil.Process(server.pid)
        for process in (*main.children(recursive=True), main):
            with suppress(psutil.NoSuchProcess):
                process.resume()


@asynccontextmanager
async def hanging(server: Server, store: Postgres | Redis) -> AsyncIterator[None]:
    """Suspends a server while the block runs: it accepts connections and sends nothing."""
    suspend(server)
    try:
        yield
    finally:
        resume(server)
    await known_to_be_back(store)


async def known_to_be_back(store: Postgres | Redis) -> None:
    """Returns when the application uses the store again and has dropped the connections from before."""
    async with asyncio.timeout(30):
        while not store.is_up:
            await asyncio.sleep(0.01)
        if isinstance(store, Postgres):
            await store.read(text("SELECT 1"))  # is repeated over a new connection, where a transaction fails once


both_ways = pytest.mark.parametrize("away", [stopped, hanging])


class LosingReplies:
    """A Redis client that executes a script and loses its first replies."""

    def __init__(self, redis: Redis, script: Script, times: int) -> None:
        self._run = redis.run
        self._script = script
        self.left = times

    async def __call__(self, script: Script, keys: Sequence[str], args: Sequence[Any], *, alone: bool = False) -> Any:
        answer = await self._run(script, keys, args, alone=alone)
        if script is self._script and self.left:
            self.left -= 1
            raise RedisDown
        return answer
