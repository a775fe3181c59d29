"""A process at its limit of running requests refuses others at once and completes the running ones."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

import httpx
import pytest
import pytest_asyncio
from sqlalchemy import text

from api.transports.overload import SheddingConnection
from settings import Settings
from tests.support.metrics import metric
from tests.support.subscriptions import Live, eventually, serving
from tests.support.system import REACT, Person

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

ENTITY = """query ($key: String!) { entity(business: "video", key: $key) { title } }"""
WAITING = "SELECT count(*) FROM pg_locks WHERE relation = 'entities'::regclass AND NOT granted"
MOST = 2
ELSEWHERE = "https://elsewhere.example"
REQUEST = b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
LONG_ANSWER = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
REFUSED = {
    "errors": [
        {
            "message": "There are too many requests here right now.",
            "extensions": {"code": "UNAVAILABLE", "retryAfter": 1.0},
        }
    ]
}


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Returns a server with room for two requests, without timeouts."""
    settings = make_settings(port=0, max_concurrent_requests=MOST, database_timeout=30, cors_origins=(ELSEWHERE,))
    async with serving(settings) as live:
        await live.videos("v0", "v1", "v2")
        await live.empty_redis()
        yield live


async def begun(live: Live, person: Person) -> list[asyncio.Task[httpx.Response]]:
    """Starts as many requests as can run. All wait for a locked table."""
    running = [asyncio.create_task(person.send(ENTITY, key=f"v{n}")) for n in range(MOST)]
    async with asyncio.timeout(20):
        while (await live.rows(WAITING))[0][0] < MOST:
            await asyncio.sleep(0.01)
    return running


@asynccontextmanager
async def full(live: Live) -> AsyncIterator[None]:
    """Keeps the server full while the block runs. Then all running requests are answered."""
    anonymous = live.person(None)
    async with live.state.postgres.transaction() as transaction:
        await transaction.execute(text("LOCK TABLE entities IN ACCESS EXCLUSIVE MODE"))
        running = await begun(live, anonymous)
        yield
        assert not any(request.done() for request in running)
    titles = [(await request).json()["data"]["entity"]["title"] for request in running]
    assert titles == ["v0", "v1"]
    assert (await anonymous.ask(ENTITY, key="v2"))["entity"]["title"] == "v2"


def shed() -> float:
    return metric("requests_shed_total")


def check_refused(refused: httpx.Response) -> None:
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
    assert refused.headers["cache-control"] == "no-store"
    assert refused.headers["content-type"] == "application/graphql-response+json; charset=utf-8"
    assert refused.json() == REFUSED


async def test_a_request_above_the_limit_is_refused_at_once_and_running_requests_complete(live: Live) -> None:
    anonymous, before = live.person(None), shed()
    async with full(live):
        check_refused(await anonymous.send(ENTITY, key="v2"))
        check_refused(await live.person("alice").send(REACT % "like", id="Entity:video:v2"))
        streamed = {"accept": "text/event-stream"}
        check_refused(await live.http.post("/graphql", json={"query": "{ x }"}, headers=streamed))
        statuses = [(await live.http.get(path)).status_code for path in ("/livez", "/readyz", "/metrics")]
    assert shed() - before == 3
    assert statuses == [200, 200, 200]


async def test_a_request_is_refused_without_a_task_and_its_connection_is_kept(live: Live) -> None:
    before = shed()
    async with connected(live) as http:
        async with full(live):
            for body in ('{"query": "{ x }"}', "x" * 300_000):
                check_refused(await http.post("/graphql", content=body))
            (protocol,) = live.server.server_state.connections
            assert not live.server.server_state.tasks
            assert shed() - before == 2
            statuses = [(await http.get(path)).status_code for path in ("/livez", "/readyz", "/metrics")]
        answer = await http.post("/graphql", json={"query": ENTITY, "variables": {"key": "v2"}})
        assert answer.json()["data"]["entity"]["title"] == "v2"
        assert live.server.server_state.connections == {protocol}
    assert statuses == [200, 200, 200]


async def test_browsers_of_other_origins_can_read_the_refusal(live: Live) -> None:
    async with connected(live) as http, full(live):
        refused = await http.post("/graphql", json={"query": "{ x }"}, headers={"origin": ELSEWHERE})
        check_refused(refused)
        assert refused.headers["access-control-allow-origin"] == ELSEWHERE


async def test_requests_that_close_their_connection_and_get_requests_are_refused_alike(live: Live) -> None:
    async with connected(live) as http, full(live):
        check_refused(await http.get("/graphql", params={"query": "{ x }"}))
        left = await http.post("/graphql", json={"query": "{ x }"}, headers={"connection": "close"})
        check_refused(left)
        assert left.headers["connection"] == "close"


async def test_many_pipelined_requests_are_refused_one_by_one(live: Live) -> None:
    many, before = 30, shed()
    async with full(live):
        reader, writer = await asyncio.open_connection(*live.address.split(":"))
        writer.write(REQUEST * many)
        received = b""
        async with asyncio.timeout(20):
            while received.count(b"UNAVAILABLE") < many:
                received += await reader.read(1 << 20)
        writer.close()
    assert received.count(b"HTTP/1.1 503 Service Unavailable\r\n") == many
    assert shed() - before == many


async def test_a_client_that_does_not_read_gets_a_limited_number_of_refusals(live: Live) -> None:
    async with full(live):
        host, port = live.address.split(":")
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((host, int(port)))
        _, writer = await asyncio.open_connection(sock=client, limit=1)
        await eventually(lambda: bool(live.server.server_state.connections))
        (protocol,) = live.server.server_state.connections
        assert isinstance(protocol, SheddingConnection)
        protocol.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)

        async def asks(request: bytes) -> None:
            writer.write(request)
            await asyncio.sleep(0.001)

        try:
            async with asyncio.timeout(20):
                while not protocol.flow.write_paused:
                    await asks(LONG_ANSWER)
            waiting = protocol.transport.get_write_buffer_size()
            for _ in range(30):
                await asks(REQUEST)
            assert protocol.transport.get_write_buffer_size() <= waiting
        finally:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()


def connected(live: Live) -> httpx.AsyncClient:
    """Returns a client that sends over the network, with one connection."""
    limits = httpx.Limits(max_connections=1)
    return httpx.AsyncClient(base_url=f"http://{live.address}", trust_env=False, timeout=30, limits=limits)
