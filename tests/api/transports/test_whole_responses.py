"""Responses that the server writes at once: what remains of a connection and of a request afterwards."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from dependencies.uvicorn import RequestResponseCycle
from settings import Settings
from tests.support.subscriptions import Live, eventually, serving

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

BODY = b'{"query": "{ square { nodes { id } } }"}'
REQUEST = b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
    len(BODY),
    BODY,
)


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Returns a running server."""
    async with serving(make_settings(port=0)) as live:
        yield live


async def response(reader: asyncio.StreamReader) -> bytes:
    """Returns the body of the next response."""
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200 OK\r\n")
    length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0])
    return await reader.readexactly(length)


async def test_pipelined_requests_get_their_responses_in_order_over_one_connection(live: Live) -> None:
    reader, writer = await asyncio.open_connection(*live.address.split(":"))
    writer.write(5 * REQUEST)

    bodies = [await response(reader) for _ in range(5)]

    assert len(set(bodies)) == 1
    assert bodies[0].startswith(b'{"data":{"square":')
    writer.close()


async def test_a_connection_that_ends_before_its_response_waits_for_no_further_request(live: Live) -> None:
    registry = live.server.config.app.state.connections  # type: ignore[union-attr]
    for _ in range(20):
        _, writer = await asyncio.open_connection(*live.address.split(":"))
        writer.write(REQUEST)
        await writer.drain()
        writer.transport.abort()

    await eventually(lambda: not live.server.server_state.connections)
    await eventually(lambda: not live.server.server_state.tasks)

    assert registry._waiting == {}


def requests_in_memory() -> int:
    """Returns the number of requests whose memory is not free, those of earlier tests included."""
    return sum(type(one) is RequestResponseCycle for one in gc.get_objects())


async def test_an_answered_request_leaves_no_cycle_of_references(live: Live) -> None:
    reader, writer = await asyncio.open_connection(*live.address.split(":"))
    for _ in range(3):
        writer.write(REQUEST)
        await response(reader)
    gc.collect()
    gc.disable()
    try:
        before = requests_in_memory()
        for _ in range(20):
            writer.write(REQUEST)
            await response(reader)
        left = requests_in_memory() - before
    finally:
        gc.enable()
    writer.close()

    assert left <= 2  # the last request of this connection
