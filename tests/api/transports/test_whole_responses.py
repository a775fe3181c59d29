"""Responses that the server writes at once: what remains of a connection and of a request afterwards."""

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from settings import Settings
from tests.support.posts import publish
from tests.support.subscriptions import Live, eventually, serving

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

BODY = b'{"query": "{ square { nodes { id } } }"}'
POST = "id text likeCount viewerReaction author { handle }"
HOME = f"{{ viewer {{ home {{ edges {{ cursor node {{ {POST} }} }} pageInfo {{ endCursor }} }} }} }}"
SQUARE = f"{{ square {{ nodes {{ {POST} }} }} }}"
LIKE = f"""mutation ($id: ID!) {{
  like(input: {{targetId: $id}}) {{ target {{ ... on Post {{ {POST} }} }} userErrors {{ code }} }} }}"""


def request(body: bytes, header: bytes = b"") -> bytes:
    """Returns an HTTP request with a body and, if it is not empty, a header field and its line end."""
    head = b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    return head + header + b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


REQUEST = request(BODY)


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


@pytest.mark.parametrize("document", [HOME, SQUARE, LIKE], ids=["home", "square", "like"])
async def test_answered_requests_leave_no_cycles_of_references(live: Live, document: str) -> None:
    alice = live.person("alice")
    posts = [(await publish(alice, f"post {number}"))["post"]["id"] for number in range(5)]
    body = json.dumps({"query": document, **({"variables": {"id": posts[0]}} if document is LIKE else {})}).encode()
    authorization = b"Authorization: %b\r\n" % alice.headers["authorization"].encode()
    reader, writer = await asyncio.open_connection(*live.address.split(":"))

    async def ask(times: int) -> None:
        for _ in range(times):
            writer.write(request(body, authorization))
            assert b'"errors"' not in await response(reader)

    await ask(3)
    gc.collect()
    gc.disable()
    try:
        await ask(20)
        found = gc.collect()
    finally:
        gc.enable()
        writer.close()
        await writer.wait_closed()

    assert found < 20  # less than one object for each request, so that background tasks may leave some
