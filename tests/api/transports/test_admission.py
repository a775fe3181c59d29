"""Limits of streaming connections: their number, their life, and slow readers."""

import asyncio
import logging
from collections.abc import Callable

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from api.transports import websocket_frames
from settings import Settings
from tests.support.subscriptions import Live, Socket, eventually, serving

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

Make = Callable[..., Settings]
LEFT = -3
"""A life that ended within the clock tolerance: the API accepts such a token for another second or two."""


async def test_a_connection_ends_when_its_token_expires(live: Live) -> None:
    (video,) = await live.videos("v1")

    async with live.raw() as socket:
        await socket.init({"authorization": live.token("alice", LEFT)})
        await socket.subscribe([video])
        assert (await socket.value())["id"] == video
        assert await socket.closed() == (4403, "The token has expired")


async def test_an_expired_token_cannot_open_a_connection(live: Live) -> None:
    async with live.raw() as socket:
        await socket.send(type="connection_init", payload={"authorization": live.token("alice", -60)})
        assert await socket.closed() == (4403, "Forbidden")


async def test_a_user_has_a_maximum_number_of_connections_of_all_kinds(make_settings: Make) -> None:
    async with serving(make_settings(port=0, connections={"streaming_per_user": 2})) as live:
        (video,) = await live.videos("v1")
        async with live.socket("alice"), live.stream([video], "alice") as stream:
            await stream.value()
            async with live.raw() as third:
                await third.send(type="connection_init", payload={"authorization": live.token("alice")})
                assert await third.closed() == (1013, "There are too many connections.")
            async with live.stream([video], "alice") as fourth:
                assert fourth.response.status_code == 429
            async with live.socket("bob"), live.socket():
                pass
        await eventually(lambda: live.connection_count == 0)
        async with live.socket("alice"), live.socket("alice"):
            pass


async def test_anonymous_clients_of_one_address_have_a_maximum_number_of_connections(make_settings: Make) -> None:
    async with (
        serving(make_settings(port=0, connections={"streaming_per_address": 1})) as live,
        live.socket(),
        live.raw() as second,
    ):
        await second.send(type="connection_init")
        assert await second.closed() == (1013, "There are too many connections.")


async def test_a_process_has_a_maximum_number_of_connections(make_settings: Make) -> None:
    async with serving(make_settings(port=0, connections={"streaming": 2})) as live:
        (video,) = await live.videos("v1")
        async with live.raw(), live.socket("bob"):
            await eventually(lambda: live.connection_count == 2)
            async with live.raw() as third:
                assert await third.closed() == (1013, "There are too many connections.")
            async with live.stream([video]) as fourth:
                assert fourth.response.status_code == 429
        await eventually(lambda: live.connection_count == 0)
        async with live.socket("alice"):
            pass


async def test_a_connection_has_a_maximum_number_of_subscriptions(make_settings: Make) -> None:
    async with serving(make_settings(port=0, connections={"subscriptions": 2})) as live:
        (video,) = await live.videos("v1")
        async with live.socket() as socket:
            for id_ in ("1", "2"):
                await socket.subscribe([video], id_)
                await socket.value(id_)
            await socket.subscribe([video], "3")
            refusal = await socket.receive()
            await socket.send(id="1", type="complete")
            await socket.subscribe([video], "3")
            await socket.value("3")

    assert (refusal["id"], refusal["type"]) == ("3", "error")
    assert [error["extensions"]["code"] for error in refusal["payload"]] == ["RATE_LIMITED"]


async def test_a_client_that_stops_reading_is_disconnected_with_the_reason(make_settings: Make) -> None:
    async with serving(make_settings(port=0)) as live, live.socket(max_queue=1) as socket:
        await flood(live, socket)
        assert await socket.closed() == (1013, "Messages are not read fast enough")


async def test_a_client_that_never_reads_again_is_disconnected(
    make_settings: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket_frames, "GONE_AFTER", 0.1)
    async with (
        serving(make_settings(port=0)) as live,
        live.socket(max_queue=1, close_timeout=0.1) as socket,
    ):
        await flood(live, socket)
        await eventually(lambda: not live.server.server_state.connections)


async def flood(live: Live, socket: Socket) -> None:
    """Makes the server send many messages without reading them."""
    with pytest.raises((ConnectionClosed, TimeoutError)):
        async with asyncio.timeout(20):
            while live.connection_count:
                await socket.send(type="ping", payload={"a": "x" * 90_000})
            raise TimeoutError
    await eventually(lambda: live.connection_count == 0)


async def test_a_server_that_stops_closes_all_streams(make_settings: Make, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, logger="uvicorn.error")
    async with serving(make_settings(port=0)) as live:
        (video,) = await live.videos("v1")
        async with live.socket("alice") as socket, live.stream([video], "bob") as stream:
            await socket.subscribe([video])
            await socket.value()
            await stream.value()
            live.server.should_exit = True
            code, _ = await socket.closed()
            rest = await stream.event()

    assert code in {1001, 1012}
    assert rest is None, "a client would not reconnect after a `complete` event"
    assert caplog.records == [], "all tasks ended by themselves"
    with pytest.raises(httpx.ConnectError):
        async with live.stream([video]):
            pass
