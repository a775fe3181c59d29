"""In synchronous mode, a write counts as done only when a replica has it."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from runner.valkey import Valkey
from store.redis import replication
from store.redis.client import Redis, RedisDown, connect
from tests.support.replicas import replicate
from tests.support.system import settings_for_tests


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[Valkey, Valkey]]:
    settings = {"repl-diskless-sync-delay": "0"}
    with Valkey(tmp_path / "primary", settings=settings) as primary, Valkey(tmp_path / "replica") as replica:
        replicate(replica, primary.port)
        yield primary, replica


@pytest_asyncio.fixture
async def redis(servers: tuple[Valkey, Valkey]) -> AsyncIterator[Redis]:
    client = _client(servers[0])
    yield client
    await client.close()


def _client(server: Valkey) -> Redis:
    client = connect(server.url, settings_for_tests(database_url="postgresql://localhost/none", redis_url=server.url))
    client.replicas, client.wait_ms = 1, 200
    return client


@contextmanager
def hanging(server: Valkey) -> Iterator[None]:
    """Lets a server hang while the block runs."""
    assert server.pid
    os.kill(server.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(server.pid, signal.SIGCONT)


async def test_a_write_is_done_when_the_replica_has_it(redis: Redis, servers: tuple[Valkey, Valkey]) -> None:
    assert await redis("SET", "a", "1", write=True) == b"OK"

    assert servers[1].command("GET", "a") == "1"


async def test_a_write_that_the_replica_lacks_is_not_done_and_reads_are_answered(
    redis: Redis, servers: tuple[Valkey, Valkey]
) -> None:
    await redis("SET", "a", "1", write=True)
    with hanging(servers[1]):
        write, read = redis("SET", "b", "2", write=True), redis("GET", "a")
        ends = await asyncio.gather(write, read, return_exceptions=True)

    assert isinstance(ends[0], RedisDown)
    assert ends[1] == b"1"


async def test_a_repetition_over_another_connection_waits_for_the_first_write(
    redis: Redis, servers: tuple[Valkey, Valkey]
) -> None:
    other = _client(servers[0])
    with hanging(servers[1]):
        with pytest.raises(RedisDown):
            await redis("SET", "a", "1", write=True)
        with pytest.raises(RedisDown):
            await other("GET", "a", write=True)  # as the lookup of an idempotency record
    assert await other("GET", "a", write=True) == b"1"
    await other.close()


@pytest.mark.parametrize(("channels", "is_done"), [("&{*", True), ("&other", False)])
async def test_a_write_is_done_only_if_the_user_may_send_the_message_before_the_wait(
    servers: tuple[Valkey, Valkey], channels: str, is_done: bool
) -> None:
    """The first channels are those of docs/operate/install.md."""
    servers[0].command("ACL", "SETUSER", "few", "on", ">secret", "~*", "+@all", "resetchannels", channels)
    url = f"redis://few:secret@127.0.0.1:{servers[0].port}/0"
    client = connect(url, settings_for_tests(database_url="postgresql://localhost/none", redis_url=url))
    client.replicas = 1
    end = (await asyncio.gather(client("SET", "a", "1", write=True), return_exceptions=True))[0]
    await client.close()

    assert end == b"OK" if is_done else isinstance(end, RedisDown)


async def test_without_synchronous_mode_no_command_is_added(redis: Redis, servers: tuple[Valkey, Valkey]) -> None:
    redis.replicas = 0
    await redis("SET", "a", "1", write=True)

    counted = servers[0].command("INFO", "commandstats")
    assert "cmdstat_wait" not in counted
    assert "cmdstat_publish" not in counted


async def test_a_replica_that_hangs_is_not_reached(redis: Redis, servers: tuple[Valkey, Valkey]) -> None:
    assert await replication.reaches(redis, 1)
    assert not await replication.reaches(redis, 2)
    with hanging(servers[1]):
        assert not await replication.reaches(redis, 1)
