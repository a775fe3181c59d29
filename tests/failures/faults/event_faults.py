"""Faults of a scene with destinations. Each lasts while its block runs."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from tests.failures.faults import faults
from tests.failures.faults.event_scene import EventScene
from tests.support.external_reviewer import Answer, plain
from tests.support.outages import resume, suspend

Happens = Callable[[EventScene], AbstractAsyncContextManager[None]]


@dataclass(frozen=True, slots=True)
class EventFault:
    """A fault. `loses_commits` tells that Postgres loses its last commits, which may have been sent."""

    name: str
    happens: Happens
    seconds: float = 4
    loses_commits: bool = False


def of_system(happens: faults.Happens) -> Happens:
    """Returns a fault of the stores, APIs or workers."""
    return lambda scene: happens(scene.system)


@asynccontextmanager
async def kill_workers(scene: EventScene) -> AsyncIterator[None]:
    """Kills workers at any moment: between commit and delivery, between delivery and the move of the cursor."""
    for _ in range(5):
        await asyncio.sleep(random.uniform(0.3, 1.5))
        number = random.randrange(2)
        scene.system.workers[number].kill()
        scene.system.start_worker(number)
    yield


@asynccontextmanager
async def kill_redis(scene: EventScene) -> AsyncIterator[None]:
    """Kills Redis while its journals have changes that no worker has stored. Users write directly to Postgres. When
    Redis is back, the older changes are stored, and the direct writes are applied again after them.
    """
    assert scene.system.history
    suspend(*scene.system.workers)
    await scene.system.history.grows(40)
    scene.system.redis.kill()
    resume(*scene.system.workers)
    yield
    await scene.system.history.grows(40)
    await asyncio.to_thread(scene.system.redis.start)


@asynccontextmanager
async def kill_receiver(scene: EventScene) -> AsyncIterator[None]:
    """Kills the program that receives the second webhook. Its port is closed meanwhile."""
    async with going_on(scene):
        scene.programs[-1].kill()
        yield
    scene.start_program()


@asynccontextmanager
async def kill_stream(scene: EventScene) -> AsyncIterator[None]:
    """Kills the Redis server that gets the stream."""
    async with going_on(scene):
        scene.stream.kill()
        yield
    await asyncio.to_thread(scene.stream.start)


@asynccontextmanager
async def suspend_stream(scene: EventScene) -> AsyncIterator[None]:
    """Suspends the Redis server that gets the stream. Later it appends what it was sent meanwhile."""
    async with going_on(scene):
        suspend(scene.stream)
        yield
    resume(scene.stream)


def answering(answer: Answer) -> Happens:
    """Lets the receiver of the first webhook answer differently."""

    @asynccontextmanager
    async def happens(scene: EventScene) -> AsyncIterator[None]:
        async with going_on(scene):
            scene.server.answer = answer
            yield
        scene.server.answer = plain(b"")

    return happens


@asynccontextmanager
async def going_on(scene: EventScene) -> AsyncIterator[None]:
    """At the end of the block, waits until users have written and workers have stored more than at its beginning."""
    assert scene.system.history
    before = await scene.stored()
    yield
    await scene.system.history.grows(40)
    async with asyncio.timeout(90):
        while await scene.stored() <= before + 20:
            await asyncio.sleep(0.1)


async def hang(_: asyncio.StreamWriter) -> None:
    """Answers nothing."""
    await asyncio.Event().wait()


async def drop(writer: asyncio.StreamWriter) -> None:
    """Has received the request, and dies before or after it answers."""
    if random.random() < 0.5:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
    writer.transport.abort()


async def garbage(writer: asyncio.StreamWriter) -> None:
    """Answers random bytes."""
    writer.write(random.randbytes(200) + b"\r\n\r\n")


redirect = plain(b"", "307 Temporary Redirect", "Location: http://127.0.0.1:1/")

FAULTS = [
    EventFault("workers die", kill_workers),
    EventFault("a worker hangs longer than its lease", of_system(faults.zombie)),
    EventFault("Postgres dies", of_system(faults.kill_postgres)),
    EventFault(
        "a standby without the last commits is promoted", of_system(faults.promoted(after=0)), loses_commits=True
    ),
    EventFault("Redis dies before its journals are stored", kill_redis, 8),
    EventFault("the receiver is killed", kill_receiver),
    EventFault("the receiver hangs", answering(hang)),
    EventFault("the receiver dies while it answers", answering(drop)),
    EventFault("the receiver sends garbage", answering(garbage)),
    EventFault("the receiver redirects", answering(redirect)),
    EventFault("the Redis of the stream dies", kill_stream),
    EventFault("the Redis of the stream hangs", suspend_stream),
]
