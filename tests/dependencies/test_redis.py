"""The parts of redis-py that dependencies/redis.py takes, and those that store/redis uses at redis-py's objects."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hiredis
import pytest
from redis import asyncio as redis_asyncio
from redis import exceptions
from redis.asyncio.cluster import ClusterNode
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

from dependencies.redis import REDIS_CLUSTER_HASH_SLOTS, Connection, key_slot, parse_url
from runner.valkey import Valkey
from tests.dependencies.library import Library
from tests.support.valkey_cluster import ValkeyCluster

REDIS_PY = Library("redis", "redis")
COMMAND = ("RPUSH", "key", b"\xff\r\n", 12)
ON_THE_WIRE = b"*4\r\n$5\r\nRPUSH\r\n$3\r\nkey\r\n$3\r\n\xff\r\n\r\n$2\r\n12\r\n"


class Receiver(asyncio.Protocol):
    """Takes the place of redis-py's protocol, as that of store/redis/connection.py does."""

    def __init__(self) -> None:
        self.received = asyncio.Queue[bytes]()

    def data_received(self, data: bytes) -> None:
        self.received.put_nowait(data)


def packed(*commands: Any) -> bytes:
    """Packs commands as store/redis/connection.py does."""
    return b"".join(map(hiredis.pack_command, commands))


@pytest.fixture(scope="module")
def unix_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Starts a server that listens to a Unix socket, too."""
    folder = tmp_path_factory.mktemp("unix")
    with Valkey(folder / "data", settings={"unixsocket": str(folder / "valkey.sock")}):
        yield f"unix://{folder}/valkey.sock"


def pool_at(url: str) -> Any:
    """Returns a pool whose connections are also instances of `Connection`."""
    pool = redis_asyncio.ConnectionPool.from_url(url, retry=Retry(NoBackoff(), 0))
    REDIS_PY.has(pool, "aclose", "connection_class", "connection_kwargs", "ensure_connection", "make_connection")
    pool.connection_class = type("Mixed", (Connection, pool.connection_class), {})
    return pool


@pytest.mark.parametrize("fixture", ["valkey", "unix_url"])
async def test_commands_can_be_written_to_the_transport_of_a_connection(
    fixture: str, request: pytest.FixtureRequest
) -> None:
    server = request.getfixturevalue(fixture)
    pool = pool_at(server if isinstance(server, str) else server.url)
    connection = pool.make_connection()
    await pool.ensure_connection(connection)
    assert connection.writer is not None, REDIS_PY.has_changed("a connection has no _writer")
    transport = connection.writer.transport
    assert transport is connection.last_transport
    receiver = Receiver()
    REDIS_PY.has(transport.get_protocol(), "connection_lost", "data_received", "eof_received", "pause_writing")
    transport.set_protocol(receiver)

    async with asyncio.timeout(10):
        transport.write(packed(("DEL", "key"), COMMAND, ("LRANGE", "key", 0, -1)))
        answer = b""
        while not answer.endswith(b"12\r\n"):
            answer += await receiver.received.get()

    assert answer == b":0\r\n:2\r\n*2\r\n$3\r\n\xff\r\n\r\n$2\r\n12\r\n"
    await connection.disconnect(nowait=True)
    assert connection.writer is None, REDIS_PY.has_changed("a closed connection keeps its _writer")
    assert connection.last_transport is not None
    assert connection.last_transport.is_closing()
    await pool.aclose()


async def test_redis_py_connects_reads_and_disconnects_as_store_redis_asks(valkey: Valkey) -> None:
    connection = pool_at(valkey.url).make_connection()
    REDIS_PY.has(connection, "connect", "host", "port", "socket_timeout")
    REDIS_PY.takes(connection.read_response, by_name=("disconnect_on_error", "timeout"))
    REDIS_PY.takes(connection.disconnect, by_name=("nowait",))
    REDIS_PY.takes(connection.send_packed_command, "command", "check_health")
    await connection.connect()
    await connection.send_packed_command([packed(("PING",))], False)

    assert await connection.read_response(timeout=10, disconnect_on_error=False) == b"PONG"
    assert await connection.read_response(timeout=0.01, disconnect_on_error=False) is None, REDIS_PY.has_changed(
        "read_response does not return None after its timeout"
    )
    await connection.disconnect(nowait=True)


def test_commands_have_the_form_of_the_protocol() -> None:
    connection = redis_asyncio.Connection()

    assert packed(COMMAND) == ON_THE_WIRE
    assert b"".join(connection.pack_command(*COMMAND)) == ON_THE_WIRE


@pytest.mark.parametrize(
    ("reply", "error", "message"),
    [
        ("READONLY You can't write.", exceptions.ReadOnlyError, "You can't write."),
        ("NOSCRIPT No matching script.", exceptions.NoScriptError, "No matching script."),
        ("OOM command not allowed", exceptions.OutOfMemoryError, "command not allowed"),
        ("LOADING It loads.", exceptions.BusyLoadingError, "It loads."),
        ("TRYAGAIN Later.", exceptions.TryAgainError, "Later."),
        ("CLUSTERDOWN It is down.", exceptions.ClusterDownError, "It is down."),
        ("MISCONF It cannot save.", exceptions.ResponseError, "MISCONF It cannot save."),
        ("WRONGTYPE Another type.", exceptions.ResponseError, "WRONGTYPE Another type."),
    ],
)
def test_an_error_reply_becomes_its_exception(reply: str, error: type[Exception], message: str) -> None:
    mixed: Any = type("Mixed", (Connection, redis_asyncio.Connection), {})
    parser = mixed().parser
    REDIS_PY.has(parser, "parse_error")

    found = parser.parse_error(reply)

    assert type(found) is error, REDIS_PY.has_changed(f"{reply} becomes {found!r}")
    assert str(found) == message


def test_a_redirect_tells_the_slot_and_the_server() -> None:
    mixed: Any = type("Mixed", (Connection, redis_asyncio.Connection), {})
    moved, ask = (mixed().parser.parse_error(f"{word} 42 10.0.0.1:7000") for word in ("MOVED", "ASK"))

    assert isinstance(moved, exceptions.MovedError)
    assert isinstance(moved, exceptions.AskError), REDIS_PY.has_changed("MovedError is no AskError")
    assert isinstance(ask, exceptions.AskError)
    assert not isinstance(ask, exceptions.MovedError)
    assert [(one.slot_id, one.host, one.port) for one in (moved, ask)] == [(42, "10.0.0.1", 7000)] * 2


def test_an_address_is_split_into_options() -> None:
    credentials = {"username": "u", "password": "p"}
    assert parse_url("redis://u:p@h:7/2?socket_timeout=3") == {
        **credentials,
        "host": "h",
        "port": 7,
        "db": 2,
        "socket_timeout": 3.0,
    }
    assert parse_url("rediss://h")["connection_class"] is redis_asyncio.SSLConnection


def test_keys_have_the_slots_of_the_protocol() -> None:
    """The first two slots are examples of the specification of Redis Cluster."""
    assert key_slot(b"123456789") == 12739
    assert key_slot(b"{user1000}.following") == key_slot(b"user1000") == 3443
    assert REDIS_CLUSTER_HASH_SLOTS == 16384


async def test_a_client_of_a_cluster_tells_its_options_and_masters(valkey_cluster: ValkeyCluster) -> None:
    first = valkey_cluster.nodes[0]
    client = redis_asyncio.RedisCluster(startup_nodes=[ClusterNode("127.0.0.1", first.port)], socket_timeout=7.0)
    REDIS_PY.has(client, "get_connection_kwargs", "get_primaries", "initialize", "scan_iter", "startup_nodes")
    await client.initialize()
    options: Any = client.get_connection_kwargs()
    node = ClusterNode("127.0.0.1", first.port, **options)
    REDIS_PY.has(node, "connection_class", "connection_kwargs", "name")

    assert options["socket_timeout"] == 7.0
    assert node.connection_kwargs["socket_timeout"] == 7.0
    assert node.connection_class is redis_asyncio.Connection
    assert len(client.get_primaries()) == 3
    assert await client.execute_command("PING", target_nodes=client.get_primaries()[0])
    await client.aclose()


def test_sentinels_have_what_store_redis_overrides() -> None:
    REDIS_PY.has(SentinelConnectionPool, "aclose", "get_master_address", "make_connection")
    REDIS_PY.takes(Sentinel.master_for, "self", "service_name", by_name=("connection_pool_class",))
    make: Any = Sentinel
    client = make([("127.0.0.1", 1)], sentinel_kwargs={}).master_for("a service", max_connections=3)
    REDIS_PY.has(client.connection_pool, "sentinel_manager")
    REDIS_PY.has(client.connection_pool.sentinel_manager, "aclose", "sentinels")

    assert len(client.connection_pool.sentinel_manager.sentinels) == 1


def test_metrics_of_redis_py_are_not_loaded() -> None:
    program = "import sys, dependencies.redis; print(*(name for name in sys.modules if 'opentelemetry' in name))"
    root = Path(__file__).parents[2]
    loaded = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    ).stdout

    assert loaded.split() == [], REDIS_PY.has_changed("it loads OpenTelemetry")
