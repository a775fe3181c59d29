"""Pipelines over TLS, on the event loops of tests and of deployments."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import psutil
import pytest
import uvloop
from redis.asyncio import SSLConnection

from domain.errors import Unavailable
from runner.ports import HOST
from runner.valkey import Valkey
from settings import Settings
from store.redis.client import Redis
from store.redis.connection import OneServer
from store.scripts import CLOCK
from tests.support.redis_clients import connected
from tests.support.system import SEEN, running
from tests.support.tls_terminator import Terminator, certify, terminated
from tests.support.valkey_sentinels import Sentinel

PATIENCE = 1.5
LARGE = b"x" * 300_000

Play = Callable[[Callable[[Redis], Awaitable[None]]], None]
"""Runs a test's steps with a client that is connected over TLS."""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("tls") / "server.pem"
    certify(file)
    return file


@pytest.fixture
def terminator(valkey: Valkey, certificate: Path) -> Iterator[Terminator]:
    valkey.command("FLUSHALL")
    with terminated(valkey.port, certificate) as one:
        yield one


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def play(request: pytest.FixtureRequest, terminator: Terminator, certificate: Path) -> Play:
    async def playing(steps: Callable[[Redis], Awaitable[None]]) -> None:
        url = f"rediss://{HOST}:{terminator.port}/1?ssl_ca_certs={certificate}"
        async with connected(url, redis_timeout=PATIENCE) as client:
            await client("SET", "a", "of a", write=True)
            terminator.records.clear()
            await steps(client)

    def play(steps: Callable[[Redis], Awaitable[None]]) -> None:
        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(playing(steps))

    return play


def test_commands_of_one_loop_turn_are_sent_in_one_write(play: Play, terminator: Terminator) -> None:
    async def steps(client: Redis) -> None:
        answers = await asyncio.gather(
            client("GET", "a"),
            client("SET", "b", "of b", write=True),
            client.gather([("GET", "b"), ("GET", "nothing")]),
        )

        assert answers == [b"of a", b"OK", [b"of b", None]]
        assert isinstance(client.servers, OneServer)
        (connection,) = client.servers._idle
        assert isinstance(connection, SSLConnection)
        assert connection.is_ready, "the connection can be used again"

    play(steps)
    (record,) = terminator.records
    assert record.count(b"\r\nGET\r\n") == 3


def test_data_of_many_tls_records_arrives_completely(play: Play, terminator: Terminator) -> None:
    async def steps(client: Redis) -> None:
        await client.gather([("SET", key, LARGE + key.encode()) for key in ("b", "c")], write=True)
        assert await client.get_many(["b", "a", "c"]) == [LARGE + b"b", b"of a", LARGE + b"c"]
        assert isinstance(client.servers, OneServer)
        assert len(client.servers._idle) == 1

    play(steps)
    assert len(terminator.records) > 2 * len(LARGE) / (1 << 14)


def test_a_connection_that_ended_while_idle_is_replaced_before_its_use(play: Play, terminator: Terminator) -> None:
    """A write that fails is not repeated."""

    async def steps(client: Redis) -> None:
        terminator.hang_up()
        await asyncio.sleep(0.05)
        assert await client("SET", "a", "new", write=True) == b"OK"
        assert await client("GET", "a") == b"new"

    play(steps)


def test_a_connection_to_a_silent_server_is_closed_without_a_tls_shutdown(play: Play, terminator: Terminator) -> None:
    """A TLS shutdown would wait for the server's reply."""

    async def steps(client: Redis) -> None:
        terminator.hold()
        with pytest.raises(Unavailable):
            await client("SET", "a", LARGE, write=True)
        async with asyncio.timeout(3):
            while terminator.port in open_to():  # a probe may have a connection for a moment
                await asyncio.sleep(0.01)

    play(steps)


def open_to() -> set[int | None]:
    """Returns the ports to which this process has connections."""
    return {getattr(line.raddr, "port", None) for line in psutil.Process().net_connections("inet4")}


def test_clients_close_their_connections_to_a_silent_server(play: Play, terminator: Terminator) -> None:
    async def steps(client: Redis) -> None:
        await client.load_scripts([CLOCK])
        terminator.hold()
        async with asyncio.timeout(4 * PATIENCE):
            await client.close()

    play(steps)


async def test_a_server_without_a_trusted_certificate_receives_no_command(terminator: Terminator) -> None:
    async with connected(f"rediss://{HOST}:{terminator.port}") as client:
        with pytest.raises(Unavailable):
            await client("SET", "a", "secret", write=True)

    assert terminator.records == []


async def test_sentinels_and_servers_can_use_tls(
    terminator: Terminator, valkey: Valkey, certificate: Path, tmp_path: Path
) -> None:
    with Sentinel(tmp_path, terminator.port) as sentinel, terminated(sentinel.port, certificate) as before_sentinel:
        url = f"rediss://{HOST}:{before_sentinel.port}?ssl_ca_certs={certificate}"
        async with connected(url, redis_mode="sentinel") as client:
            assert await client("SET", "a", "of a", write=True) == b"OK"
            assert await client.gather([("GET", "a"), ("GET", "b")]) == [b"of a", None]

    assert valkey.command("GET", "a") == "of a"
    assert any(b"SENTINEL" in record for record in before_sentinel.records)
    assert terminator.records[-1].count(b"\r\nGET\r\n") == 2


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_like_and_its_read_use_tls(
    make_settings: Callable[..., Settings], terminator: Terminator, certificate: Path
) -> None:
    url = f"rediss://{HOST}:{terminator.port}?ssl_ca_certs={certificate}"
    async with running(make_settings(redis_url=url)) as system:
        (video,) = await system.videos("v1")
        await system.person("alice").like(video)
        await system.drain()
        assert (await system.person("bob").ask(SEEN, id=video))["node"]["likeCount"] == 1

    assert any(b"EVALSHA" in record for record in terminator.records)
