"""An API that stops: it serves until load balancers have removed it, and finishes running requests."""

import asyncio
import signal
from collections.abc import Callable

import httpx
import pytest

from settings import Settings
from tests.support.subscriptions import eventually, serving

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

AN_HOUR = 3600.0
Make = Callable[..., Settings]
VIEWER = {"query": "{ viewer { user { id } } }"}


async def test_a_draining_api_serves_and_closes_connections_after_responses(
    make_settings: Make,
) -> None:
    async with serving(make_settings(port=0, drain_seconds=AN_HOUR)) as live:
        (video,) = await live.videos("v1")
        async with (
            httpx.AsyncClient(base_url=f"http://{live.address}", trust_env=False) as http,
            live.socket() as before,
        ):
            assert (await http.get("/readyz")).status_code == 200
            live.server.handle_exit(signal.SIGTERM, None)

            unready = await http.get("/readyz")
            async with asyncio.timeout(20):
                while "connection" not in (answer := await http.post("/graphql", json=VIEWER)).headers:
                    await asyncio.sleep(0.01)
            async with live.socket() as socket, live.stream([video]) as stream:
                await socket.subscribe([video])
                assert (await socket.value())["id"] == (await stream.value())["id"] == video
                alive = (await http.get("/livez")).status_code
                live.server.leaves_at = 0.0

                closed = [await one.closed() for one in (before, socket)]
                assert await stream.event() is None

    assert (unready.status_code, unready.json()["problems"]) == (503, ["the process is stopping"])
    assert (answer.status_code, answer.headers["connection"]) == (200, "close")
    assert answer.json()["data"]
    assert alive == 200
    assert closed == [(1012, ""), (1012, "")]


async def test_a_stopping_api_finishes_a_running_request(make_settings: Make) -> None:
    async with serving(make_settings(port=0)) as live:
        host, port = live.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        body = b'{"query": "{ __typename }"}'
        writer.write(b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
        writer.write(b"Content-Length: %d\r\n\r\n" % len(body))
        await eventually(lambda: bool(live.server.server_state.tasks))
        live.server.handle_exit(signal.SIGTERM, None)
        await eventually(lambda: not live.server.servers[0].is_serving())
        writer.write(body)

        answer = await reader.read()

        writer.close()
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"connection: close" in answer
    assert answer.endswith(b'"extensions":{"cost":10}}')


async def test_a_stopping_api_reads_the_first_request_of_an_accepted_connection(make_settings: Make) -> None:
    async with serving(make_settings(port=0)) as live:
        host, port = live.address.split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        await eventually(lambda: bool(live.server.server_state.connections))
        live.server.handle_exit(signal.SIGTERM, None)
        await eventually(lambda: not live.server.servers[0].is_serving())
        writer.write(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")

        answer = await reader.read()

        writer.close()
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert b"connection: close" in answer
