"""Clients that keep their connection open and do not read."""

import asyncio
import socket
from collections.abc import Callable

import orjson
import pytest

import server
from settings import Settings
from tests.support.comments import added
from tests.support.stores import standalone
from tests.support.subscriptions import Live, eventually, serving
from tests.support.system import LENIENT

_TEXTS = " ".join(f"t{i}: text" for i in range(40))
MUCH = f"subscription ($ids: [ID!]!) {{ reactableChanged(ids: $ids) {{ ... on Comment {{ {_TEXTS} }} }} }}"
"""Of a comment of 2000 wide characters 320 kB: more than all buffers hold, for the first events of some of them."""


@standalone
@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="a Linux kernel ends them")
async def test_a_stream_whose_client_does_not_read_ends(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "STALLED", 1.0)
    async with serving(make_settings(port=0, moderation=LENIENT)) as live:
        (video,) = await live.videos("v1")
        alice = live.person("alice")
        comments = [await added(alice, video, chr(0x1F600 + i) * 2000) for i in range(25)]
        await live.drain()
        client = await _open_stream(live, comments)

        await eventually(lambda: live.connection_count == 1)
        await eventually(lambda: live.connection_count == 0 and not live.server.server_state.connections)

        client.close()


async def _open_stream(live: Live, ids: list[str]) -> socket.socket:
    """Opens a stream with a small receive buffer."""
    host, port = live.address.split(":")
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(client, (host, int(port)))
    body = orjson.dumps({"query": MUCH, "variables": {"ids": ids}})
    head = f"POST /graphql HTTP/1.1\r\nHost: {live.address}\r\nAccept: text/event-stream\r\n"
    head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    await loop.sock_sendall(client, head.encode() + body)
    return client
