"""A Redis that answers and takes no writes makes writes direct, until it takes writes again."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from redis import Redis, exceptions

from runner.valkey import Valkey
from runner.waiting import wait_until
from store.redis.down import is_down
from tests.support.fallback_mode import end, reaction, worker_apart
from tests.support.redis_clients import connected
from tests.support.stores import standalone
from tests.support.system import System
from workers.worker import Worker

pytestmark = standalone
AGE_SIGHTS = "UPDATE workers SET redis_seen = redis_seen - interval '2 s' RETURNING 1"
AGE_MODE = "UPDATE modes SET since = since - interval '3 s' RETURNING 1"


@contextmanager
def configured(server: Valkey, setting: str, value: str, normal: str) -> Iterator[None]:
    server.command("CONFIG", "SET", setting, value)
    yield
    server.command("CONFIG", "SET", setting, normal)


@contextmanager
def full(server: Valkey) -> Iterator[None]:
    """The server has no memory left (OOM)."""
    with configured(server, "maxmemory", "1mb", "0"):
        yield


@contextmanager
def without_replicas(server: Valkey) -> Iterator[None]:
    """The server has fewer replicas than it needs (NOREPLICAS)."""
    with configured(server, "min-replicas-to-write", "1", "0"):
        yield


@contextmanager
def unable_to_save(server: Valkey) -> Iterator[None]:
    """The server cannot write its snapshot (MISCONF)."""
    obstacle = server.data_dir / server.command("CONFIG", "GET", "dbfilename")["dbfilename"]
    obstacle.unlink(missing_ok=True)
    (obstacle / "in the way").mkdir(parents=True)
    with configured(server, "save", "3600 1", ""):
        server.command("BGSAVE")
        assert wait_until(lambda: server.command("INFO", "persistence")["rdb_last_bgsave_status"] == "err", 10)
        yield
        shutil.rmtree(obstacle)
        server.command("BGSAVE")
        assert wait_until(lambda: server.command("INFO", "persistence")["rdb_last_bgsave_status"] == "ok", 10)


@contextmanager
def busy(server: Valkey) -> Iterator[None]:
    """The server runs a script that does not end (BUSY)."""
    server.command("CONFIG", "SET", "busy-reply-threshold", "50")
    caller = Redis.from_url(server.url, socket_timeout=0.2)
    with pytest.raises(exceptions.TimeoutError):
        caller.eval("while true do end", 0)
    yield
    server.command("SCRIPT", "KILL")
    caller.close()


REFUSING = [full, without_replicas, unable_to_save, busy]


def is_direct(worker: Worker) -> bool:
    return worker.state.write_mode.current.direct


@pytest.mark.parametrize("refusing", REFUSING)
async def test_writes_are_direct_while_redis_takes_none(
    apart: tuple[System, Valkey], refusing: Callable[[Valkey], AbstractContextManager[None]]
) -> None:
    system, redis = apart
    (video,) = await system.videos("v1")
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    for person in (alice, bob, carol):
        await person.id()
    await alice.like(video)
    async with worker_apart(system) as worker:
        await worker.direct_writes.check()
        with refusing(redis):
            await worker.direct_writes.check()
            assert not is_direct(worker), "it may last a moment only"
            await system.rows(AGE_SIGHTS)
            await worker.direct_writes.check()
            assert is_direct(worker)
            await system.rows(AGE_MODE)
            for one in (worker.state, system.state):
                await one.write_mode.refresh()
            assert (await bob.like(video))["userErrors"] == []
            for _ in range(3):
                await worker.direct_writes.step()
            assert is_direct(worker)
            assert await reaction(system, "bob", video) == "LIKE"
    await end(system)

    assert not system.state.write_mode.current.direct
    assert (await carol.like(video))["target"]["likeCount"] == 3
    await system.drain()
    assert await system.rows("SELECT count(*), count(DISTINCT user_id) FROM like_log") == [(3, 3)]


async def test_connections_to_a_busy_redis_can_be_used_afterwards(apart: tuple[System, Valkey]) -> None:
    _, redis = apart
    async with connected(redis.url) as client:
        client.servers.require_verified(frozenset(await client.run_ids()))

        async def sent() -> list[Any]:
            return list(await asyncio.gather(*[client.servers.send([("GET", "a")]) for _ in range(5)]))

        with busy(redis):
            assert all(is_down(answer) for (answer,) in await sent())
        async with asyncio.timeout(10):
            while client.servers.is_unavailable:
                assert await client.servers.send([("GET", "a")])
                await asyncio.sleep(0.05)
        for _ in range(3):
            assert await sent() == [[None]] * 5


async def test_a_full_redis_gets_room_from_earlier_caches_and_stored_entries(apart: tuple[System, Valkey]) -> None:
    system, redis = apart
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    async with worker_apart(system) as worker:
        await worker.direct_writes.check()
        with full(redis):
            await system.rows(AGE_SIGHTS)
            await worker.direct_writes.check()
            await system.rows(AGE_MODE)
            await worker.state.write_mode.refresh()
            journal = system.state.keys.journal
            assert sum(redis.command("XLEN", journal(p)) for p in range(system.settings.partitions)) == 1
            for _ in range(3):
                await worker.direct_writes.step()
            await worker.direct_writes.sweep()
            assert sum(redis.command("XLEN", journal(p)) for p in range(system.settings.partitions)) == 0
            assert redis.command("KEYS", "*:react:*") == []
