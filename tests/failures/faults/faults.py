"""Faults of a scene. Each lasts while its block runs."""

import asyncio
import random
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path

import asyncpg
import redis as redis_client

from runner.pgdata import ADMIN
from runner.postgres import Postgres
from runner.process import Process
from runner.server import Server
from runner.valkey import Valkey
from tests.failures.faults.scene import RECOVERY_SECONDS, Scene, Store
from tests.support.fault_proxy import Proxy
from tests.support.outages import resume, suspend

LATENCY = 0.5
Change = Callable[[Proxy], Awaitable[None]]
Happens = Callable[[Scene], AbstractAsyncContextManager[None]]


@asynccontextmanager
async def kill_api(scene: Scene) -> AsyncIterator[None]:
    """Kills an API. Requests in progress get no response, and clients reconnect."""
    scene.apis[0].kill()
    yield
    scene.start_api(0)


@asynccontextmanager
async def kill_worker(scene: Scene) -> AsyncIterator[None]:
    """Kills one of the two workers at any moment of its batch."""
    victim = random.randrange(2)
    scene.workers[victim].kill()
    yield
    scene.start_worker(victim)


@asynccontextmanager
async def kill_workers(scene: Scene) -> AsyncIterator[None]:
    """Kills both workers."""
    for worker in scene.workers:
        worker.kill()
    yield
    for number in range(2):
        scene.start_worker(number)


@asynccontextmanager
async def kill_all(scene: Scene) -> AsyncIterator[None]:
    """Kills all APIs and workers and starts new ones at once."""
    for process in (*scene.apis, *scene.workers):
        process.kill()
    for number in range(2):
        scene.start_api(number)
        scene.start_worker(number)
    yield


@asynccontextmanager
async def zombie(scene: Scene) -> AsyncIterator[None]:
    """Kills one worker, and suspends the other for longer than its lease."""
    suspend(scene.workers[1])
    scene.workers[0].kill()
    scene.start_worker(0)
    yield
    resume(scene.workers[1])


@asynccontextmanager
async def restart(scene: Scene) -> AsyncIterator[None]:
    """Stops and starts one process after the other."""
    for number in range(2):
        await asyncio.to_thread(scene.apis[number].stop)
        scene.start_api(number)
        await asyncio.to_thread(scene.workers[number].stop)
        scene.start_worker(number)
        await scene.deployment.ready()
    yield


@asynccontextmanager
async def kill_postgres(scene: Scene) -> AsyncIterator[None]:
    """Kills Postgres, which then recovers from its log."""
    scene.postgres.kill()
    yield
    await asyncio.to_thread(scene.postgres.start)


@asynccontextmanager
async def kill_both(scene: Scene) -> AsyncIterator[None]:
    """Kills both stores and starts Redis before Postgres, so that no worker can verify Redis meanwhile."""
    scene.postgres.kill()
    scene.redis.kill()
    await asyncio.to_thread(scene.redis.start)
    yield
    await asyncio.to_thread(scene.postgres.start)


def kill(store: Callable[[Scene], Valkey]) -> Happens:
    """Kills a Valkey server, which then reads its append-only file."""

    @asynccontextmanager
    async def happens(scene: Scene) -> AsyncIterator[None]:
        store(scene).kill()
        yield
        await asyncio.to_thread(store(scene).start)

    return happens


def stop(which: Callable[[Scene], Process | Server]) -> Happens:
    """Suspends a process or server. When it resumes, it handles what clients sent meanwhile."""

    @asynccontextmanager
    async def happens(scene: Scene) -> AsyncIterator[None]:
        suspend(which(scene))
        yield
        resume(which(scene))

    return happens


def network(store: Store, begins: Change, ends: Change, *, everywhere: bool) -> Happens:
    """Changes the network between a store and all processes, or one API."""

    @asynccontextmanager
    async def happens(scene: Scene) -> AsyncIterator[None]:
        for proxy in scene.proxies(store, everywhere=everywhere):
            await begins(proxy)
        yield
        for proxy in scene.proxies(store, everywhere=everywhere):
            await ends(proxy)

    return happens


async def slow(proxy: Proxy) -> None:
    """Delays every request by half a second."""
    proxy.delay = LATENCY


async def fast(proxy: Proxy) -> None:
    proxy.delay = 0


async def go_on(_: Proxy) -> None:
    """Does nothing."""


@asynccontextmanager
async def flush(scene: Scene) -> AsyncIterator[None]:
    """Empties the cache Redis, which is the state Redis unless both are separate."""
    scene.cache.command("FLUSHALL")
    yield


@asynccontextmanager
async def emptied(scene: Scene) -> AsyncIterator[None]:
    """Kills Redis and starts it without its file."""
    scene.redis.kill()
    await asyncio.to_thread(shutil.rmtree, scene.redis.data_dir)
    await asyncio.to_thread(scene.redis.start)
    yield


async def forgotten(scene: Scene) -> None:
    """Waits until no change is pending, and empties all caches, as if users had been away for weeks."""
    await scene.rest()
    async with asyncio.timeout(RECOVERY_SECONDS):
        while scene.redis.command("KEYS", "*:pending:*"):
            await asyncio.sleep(0.1)
    for sets in ("*:react:*", "*:follow:*"):
        scene.redis.command("DEL", "nothing", *scene.redis.command("KEYS", sets))


async def copied(scene: Scene) -> None:
    """Copies Redis, and lets Redis take more writes, which are stored."""
    assert scene.history
    suspend(scene.redis)
    await asyncio.to_thread(shutil.copytree, scene.redis.data_dir, _copy_of(scene.redis))
    resume(scene.redis)
    await scene.history.grows(100)
    await scene.rest()


@asynccontextmanager
async def restored(scene: Scene) -> AsyncIterator[None]:
    """Replaces Redis by its copy."""
    scene.redis.kill()
    await asyncio.to_thread(shutil.rmtree, scene.redis.data_dir)
    _copy_of(scene.redis).rename(scene.redis.data_dir)
    await asyncio.to_thread(scene.redis.start)
    yield


_REFUSAL = "No space left on device"


def _copy_of(server: Valkey) -> Path:
    return server.data_dir.with_name("copy")


@asynccontextmanager
async def no_memory(scene: Scene) -> AsyncIterator[None]:
    """Limits the memory of Redis, which then refuses writes."""
    scene.redis.command("CONFIG", "SET", "maxmemory", "1mb")
    yield
    scene.redis.command("CONFIG", "SET", "maxmemory", "0")


@asynccontextmanager
async def no_replicas(scene: Scene) -> AsyncIterator[None]:
    """Lets Redis demand a replica that it does not have. It then refuses writes and answers reads."""
    scene.redis.command("CONFIG", "SET", "min-replicas-to-write", "1")
    yield
    scene.redis.command("CONFIG", "SET", "min-replicas-to-write", "0")


@asynccontextmanager
async def endless_script(scene: Scene) -> AsyncIterator[None]:
    """Runs a script that does not end. Redis first answers nothing, then refuses all commands."""
    scene.redis.command("CONFIG", "SET", "busy-reply-threshold", "500")
    caller = redis_client.Redis.from_url(scene.redis.url, socket_timeout=0.2)
    with suppress(redis_client.exceptions.TimeoutError):
        caller.eval("while true do end", 0)
    yield
    scene.redis.command("SCRIPT KILL")
    caller.close()


@asynccontextmanager
async def restarted_alone(scene: Scene) -> AsyncIterator[None]:
    """Kills both workers and restarts Redis, which no worker can verify. Users can still write."""
    for worker in scene.workers:
        worker.kill()
    scene.redis.kill()
    await asyncio.to_thread(scene.redis.start)
    yield
    for number in range(2):
        scene.start_worker(number)


@asynccontextmanager
async def disk_full(scene: Scene) -> AsyncIterator[None]:
    """Fills the disk completely, until Postgres has refused a write. Starts Postgres again after that, if it has
    stopped.
    """
    ballast = scene.postgres.data_dir / "ballast"
    refusals = scene.postgres.log.read_text().count(_REFUSAL)
    await asyncio.to_thread(_fill, ballast)
    yield
    async with asyncio.timeout(RECOVERY_SECONDS):  # Postgres writes to space that its files have, until it is used up
        while scene.postgres.log.read_text().count(_REFUSAL) == refusals:
            await asyncio.sleep(0.1)
    ballast.unlink()
    if not scene.postgres.running:
        await asyncio.to_thread(scene.postgres.start)


def _fill(ballast: Path) -> None:
    zeros = bytes(1 << 20)
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(zeros)


def promoted(*, after: float) -> Happens:
    """Promotes a standby that is a second behind, some seconds after the old primary is gone. Then discards the caches,
    as docs/operate/degrade.md says.
    """

    @asynccontextmanager
    async def happens(scene: Scene) -> AsyncIterator[None]:
        standby, replication = await scene.standby()
        old = scene.postgres
        await replication.hold()
        await asyncio.sleep(1)
        old.kill()
        await replication.cut()
        await asyncio.sleep(after)
        scene.postgres = standby
        await _promote(standby)
        assert scene.history
        scene.history.lose_commits()
        for proxy in scene.proxies("postgres", everywhere=True):
            proxy.upstream = standby.port
        await asyncio.to_thread(scene.deployment.run, "discard-caches", "--yes")
        yield
        await asyncio.to_thread(shutil.rmtree, old.data_dir)

    return happens


async def _promote(standby: Postgres) -> None:
    connection = await asyncpg.connect(standby.url_of("postgres", ADMIN))
    try:
        assert await connection.fetchval("SELECT pg_promote(true, 30)")
    finally:
        await connection.close()


def clock(hours: float) -> Happens:
    """Sets the clock of the second API ahead by some hours."""

    @asynccontextmanager
    async def happens(scene: Scene) -> AsyncIterator[None]:
        for ahead in (hours, 0):
            await asyncio.to_thread(scene.apis[1].stop)
            scene.start_api(1, ahead)
            await scene.deployment.ready()
            if ahead:
                yield

    return happens


def redis(scene: Scene) -> Valkey:
    return scene.redis


def cache(scene: Scene) -> Valkey:
    return scene.cache
