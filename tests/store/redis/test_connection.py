"""Unrequested data and unnoticed ends of connections: no command receives the reply of another."""

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest
import pytest_asyncio
import uvloop
from pydantic import SecretStr
from redis import exceptions

from settings import Settings
from store.redis import client as redis
from store.redis.client import Redis

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])
PATIENCE = 1.5


class ReplyProxy:
    """A proxy in front of a server, which can add data to replies and reset connections."""

    def __init__(self) -> None:
        self.extra = b""
        """Data that is sent after the next reply."""
        self._clients: list[asyncio.StreamWriter] = []

    async def serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter, port: int) -> None:
        self._clients.append(to_client)
        server, to_server = await asyncio.open_connection("127.0.0.1", port)
        replies = asyncio.create_task(self._replies(server, to_client))
        with suppress(OSError):
            while data := await client.read(1 << 16):
                to_server.write(data)
        to_client.close()
        to_server.close()
        await replies

    def send_unasked(self, unasked: bytes) -> None:
        for client in self._clients:
            client.write(unasked)

    def reset(self) -> None:
        """Resets all connections, as a restarted server does."""
        for client in self._clients:
            client.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.transport.abort()

    async def _replies(self, server: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        while data := await server.read(1 << 16):
            to_client.write(data + self.extra)
            self.extra = b""


@pytest_asyncio.fixture
async def proxied_redis(redis_url: str) -> AsyncIterator[tuple[ReplyProxy, Redis]]:
    one, upstream = ReplyProxy(), int(redis_url.rsplit(":", 1)[1].split("/", maxsplit=1)[0])
    listener = await asyncio.start_server(lambda r, w: one.serve(r, w, upstream), "127.0.0.1", 0)
    url = f"redis://127.0.0.1:{listener.sockets[0].getsockname()[1]}"
    client = redis.connect(url, Settings(redis_url=url, jwt_secret=SecretStr("s" * 32), redis_timeout=PATIENCE))
    await client("SET", "a", "of a", write=True)
    await client("SET", "b", "of b", write=True)
    yield one, client
    await client.close()
    listener.close()
    await listener.wait_closed()


async def test_extra_data_after_a_reply_is_not_given_to_another_command(
    proxied_redis: tuple[ReplyProxy, Redis],
) -> None:
    proxy, client = proxied_redis
    proxy.extra = b"$7\r\nunasked\r\n"

    assert await client("GET", "a") == b"of a"
    assert [await client("GET", key) for key in ("b", "a", "b")] == [b"of b", b"of a", b"of b"]


async def test_an_incomplete_extra_reply_is_not_given_to_another_command(
    proxied_redis: tuple[ReplyProxy, Redis],
) -> None:
    proxy, client = proxied_redis
    proxy.extra = b"$7\r\nuna"

    assert await client("GET", "a") == b"of a"
    assert await client("GET", "b") == b"of b"


async def test_data_between_exchanges_is_not_given_to_a_command(proxied_redis: tuple[ReplyProxy, Redis]) -> None:
    proxy, client = proxied_redis
    proxy.send_unasked(b"$7\r\nunasked\r\n")
    await asyncio.sleep(0.05)

    assert await client("GET", "b") == b"of b"


async def test_a_connection_that_was_reset_while_idle_is_replaced_before_its_use(
    proxied_redis: tuple[ReplyProxy, Redis],
) -> None:
    """A write that fails is not repeated."""
    proxy, client = proxied_redis
    proxy.reset()
    await asyncio.sleep(0.05)

    assert await client("SET", "a", "new", write=True) == b"OK"
    assert await client("GET", "a") == b"new"


async def test_a_connection_that_ends_before_a_write_is_an_outage(redis_url: str) -> None:
    """The API runs on uvloop, which raises RuntimeError for a closed transport. asyncio raises nothing."""

    async def written_too_late() -> list[str]:
        client = redis.connect(redis_url, Settings(redis_url=redis_url, jwt_secret=SecretStr("s" * 32)))
        results = []
        for late in ("redis-py", "exchange", "listener"):
            connection = client.servers.new_connection()  # type: ignore[union-attr]
            await connection.connect()
            await connection.exchange([("PING",)])
            connection.abort()
            await asyncio.sleep(0.01)
            try:
                if late == "redis-py":
                    await connection.send_packed_command([b"PING"], check_health=False)
                elif late == "exchange":
                    await connection.exchange([("PING",)])
                else:
                    connection.write_commands([("PING",)])
                results.append("nothing")
            except exceptions.ConnectionError:
                results.append("outage")
            await connection.disconnect(nowait=True)
        await client.close()
        return results

    assert await asyncio.to_thread(uvloop.run, written_too_late()) == ["outage", "outage", "nothing"]
