"""Connections whose clients send too much, too slowly or nothing."""

import asyncio
import logging
import resource
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest
import pytest_asyncio

from settings import Settings
from tests.api.raw_connections import POST, Client, connected
from tests.support.http_requests import TYPE
from tests.support.logs import capture_logs
from tests.support.subscriptions import Live, eventually, serving

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

GET = b"GET /livez HTTP/1.1\r\n"
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %b\r\n" % (
    b"a" * 22 + b"=="
)
HEAD_BYTES = 4096
MOST = 4
SOON = 1.0


@pytest.fixture
def header_timeout() -> float:
    return 20.0


in_a_hurry = pytest.mark.parametrize("header_timeout", [SOON])


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings], header_timeout: float) -> AsyncIterator[Live]:
    """Returns a server with room for four connections, which waits for the head of a request for `header_timeout`."""
    settings = make_settings(
        port=0,
        connections={
            "header_bytes": HEAD_BYTES,
            "header_timeout": header_timeout,
            "most": MOST,
            "streaming": MOST - 1,
        },
    )
    async with serving(settings) as live:
        yield live


def header(size: int, name: bytes = b"X-Long") -> bytes:
    return name + b": " + b"x" * size + b"\r\n"


async def test_a_head_that_never_ends_is_refused_while_it_arrives(live: Live) -> None:
    heads = [
        (GET + b"Host: x\r\nAccept: ", b"x", 431),
        (GET + b"Host: x\r\n", b"x", 431),
        (GET + b"Host: x\r\n", b"a:\r\n", 431),
        (b"GET /", b"x", 414),
        (b"", b"\r\n", 431),
    ]
    for begun, more, status in heads:
        async with connected(live) as client:
            assert await client.send(begun, more * (3 * HEAD_BYTES // len(more))) == status
            assert await client.is_closed()


async def test_endless_chunk_extensions_or_trailers_close_the_connection(live: Live) -> None:
    for trailer_or_extension in b"0\r\nX-Long: ", b"1;x=":
        async with connected(live) as client:
            client.writer.write(POST + b"Transfer-Encoding: chunked\r\n\r\n" + trailer_or_extension)
            client.writer.write(b"x" * 3 * HEAD_BYTES)
            assert await client.response() == (0, b"")


async def test_a_complete_head_with_too_many_bytes_or_headers_is_refused(live: Live) -> None:
    for begun in GET + b"Host: x\r\n", GET + b"Host: x\r\n" + UPGRADE:
        for headers in header(HEAD_BYTES), header(HEAD_BYTES // 4) * 5, b"a:\r\n" * 100:
            async with connected(live) as client:
                assert await client.send(begun + headers + b"\r\n") == 431
                assert await client.is_closed()


async def test_a_head_within_the_limits_and_a_large_body_are_accepted(live: Live) -> None:
    body = TYPE + b" " * 20 * HEAD_BYTES
    async with connected(live) as client:
        assert await client.send(GET + b"Host: x\r\n" + header(HEAD_BYTES - 100) + b"a:\r\n" * 80 + b"\r\n") == 431
    async with connected(live) as client:
        for _ in range(3):
            assert await client.send(GET + b"Host: x\r\n" + header(HEAD_BYTES - 100) + b"\r\n") == 200
            assert await client.send(GET + b"Host: x\r\n" + b"a:\r\n" * 99 + b"\r\n") == 200
            assert await client.send(POST + b"Content-Length: %d\r\n\r\n" % len(body), body) == 200


async def test_many_requests_in_one_packet_do_not_count_as_one_large_head(live: Live) -> None:
    async with connected(live) as client:
        client.writer.write((GET + b"Host: x\r\n" + header(HEAD_BYTES // 4) + b"\r\n") * 30)
        assert [(await client.response())[0] for _ in range(30)] == [200] * 30


async def test_a_client_that_pipelines_too_many_requests_is_disconnected(live: Live) -> None:
    async with connected(live) as client:
        client.writer.write((GET + b"Host: x\r\n\r\n") * 1000)
        statuses = [(await client.response())[0] for _ in range(1000)]
    answered = statuses.index(0)
    assert 30 < answered < 1000
    assert statuses[:answered] == [200] * answered


async def test_a_refusal_has_its_reason_and_earlier_requests_are_answered_first(live: Live) -> None:
    large = GET + b"Host: x\r\n" + header(HEAD_BYTES) + b"\r\n"
    async with connected(live) as client:
        assert await client.send(large) == 431
    async with connected(live) as client:
        client.writer.write(POST + b"Content-Length: %d\r\n\r\n" % len(TYPE) + TYPE + large)
        status, body = await client.response()
        assert (status, b"Query" in body) == (200, True)
        assert await client.is_closed()


async def test_a_request_must_have_exactly_one_host(live: Live) -> None:
    heads = {
        b"HTTP/1.1\r\n": 400,
        b"HTTP/1.1\r\nHost: x\r\nHost: x\r\n": 400,
        b"HTTP/1.1\r\nHost: x\r\nhost: y\r\n": 400,
        b"HTTP/1.1\r\nHost: x\r\n": 200,
        b"HTTP/1.0\r\n": 200,
    }
    received = {}
    for head in heads:
        async with connected(live) as client:
            received[head] = await client.send(b"GET /livez " + head + b"\r\n")
    assert received == heads


async def test_trailers_are_not_headers(live: Live) -> None:
    chunks = b"%x\r\n%b\r\n0\r\nAuthorization: Bearer x\r\n\r\n" % (len(TYPE), TYPE)
    async with connected(live) as client:
        assert await client.send(POST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks) == 200


@in_a_hurry
async def test_a_head_that_arrives_too_slowly_is_refused(live: Live) -> None:
    async def trickle(client: Client) -> None:
        client.writer.write(GET)
        while True:
            client.writer.write(b"a:\r\n")
            await asyncio.sleep(SOON / 10)

    async with connected(live) as first, connected(live) as second:
        assert await second.send(GET + b"Host: x\r\n\r\n") == 200
        tasks = [asyncio.create_task(trickle(client)) for client in (first, second)]
        received = [await client.response() for client in (first, second)]
        for task in tasks:
            task.cancel()
    assert [status for status, _ in received] == [408, 408]
    assert b"in time" in received[0][1]


@in_a_hurry
async def test_a_connection_without_any_request_is_closed_without_a_response(live: Live) -> None:
    async with connected(live) as client:
        assert await client.response() == (0, b"")


@in_a_hurry
async def test_the_rest_of_a_refused_body_is_not_awaited(live: Live) -> None:
    large = live.settings.connections.body_bytes + 1
    async with connected(live) as client:
        assert await client.send(POST + b"Content-Length: %d\r\n\r\n" % (2 * large), b" " * large) == 413
        client.writer.write(b" ")
        assert await client.response() == (0, b"")


@in_a_hurry
async def test_an_idle_connection_stays_open(live: Live) -> None:
    async with connected(live) as client:
        for _ in range(2):
            assert await client.send(GET + b"Host: x\r\n\r\n") == 200
            await asyncio.sleep(1.2 * SOON)
            live.app.state.connections.close_expired()


async def test_new_connections_replace_those_that_wait_longest(live: Live) -> None:
    async with connected(live) as idle, connected(live) as second, connected(live), connected(live):
        await eventually(lambda: len(live.server.server_state.connections) == MOST)
        async with connected(live) as client:
            assert await client.send(GET + b"Host: x\r\n\r\n") == 200
            assert await idle.is_closed()
            assert await second.send(GET + b"Host: x\r\n\r\n") == 200
            assert len(live.server.server_state.connections) == MOST


async def test_a_connection_is_refused_while_all_others_are_in_use(live: Live) -> None:
    async with live.socket(), live.socket(), live.socket(), connected(live) as busy:
        busy.writer.write(POST + b"Content-Length: 9\r\n\r\n")
        await eventually(lambda: len(live.server.server_state.tasks) == MOST)
        async with connected(live) as client:
            status, body = await client.response()
    assert (status, b"UNAVAILABLE" in body) == (503, True)


async def test_a_websocket_handshake_that_the_library_refuses_gets_a_response(
    make_settings: Callable[..., Settings],
) -> None:
    async with serving(make_settings(port=0)) as live, connected(live) as client:
        head = b"GET /graphql HTTP/1.1\r\nHost: x\r\n" + UPGRADE + header(9000) + b"\r\n"
        assert await client.send(head) == 400
        assert await client.is_closed()


async def test_a_websocket_that_sends_very_many_small_frames_is_closed(live: Live) -> None:
    ping, pong = b"\x89\x80\0\0\0\0", b"\x8a\0"
    async with connected(live) as client:
        client.writer.write(GET.replace(b"/livez", b"/graphql") + b"Host: x\r\n" + UPGRADE)
        client.writer.write(b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n")
        assert (await client.response())[0] == 101
        client.writer.write(ping * 500)
        assert await client.reader.readexactly(500 * len(pong)) == 500 * pong
        client.writer.write(ping * 40_000)
        received = b""
        with suppress(ConnectionError):
            async with asyncio.timeout(20):
                while more := await client.reader.read(1 << 16):
                    received += more
    assert received.count(pong) < 2000


async def test_the_log_has_no_line_for_each_connection_and_no_urls(
    live: Live, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        async with connected(live) as client:
            client.writer.write(b"GET /graphql?token=SECRET HTTP/1.1\r\nHost: x\r\n" + UPGRADE)
            client.writer.write(b"Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n")
            assert (await client.response())[0] == 101
        async with connected(live) as client:
            assert await client.send(b"nonsense\r\n\r\n") == 400
    assert "SECRET" not in caplog.text
    assert "Invalid HTTP" not in caplog.text


async def test_a_process_without_file_descriptors_logs_that_once(live: Live) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with capture_logs() as logs:
        resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
        try:
            for _ in range(3):
                live.app.state.connections.close_expired()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    errors: list[Any] = [entry["event"] for entry in logs if entry["log_level"] == "error"]
    assert errors == ["the process has no free file descriptor"]
