"""The parts of uvicorn that dependencies/uvicorn.py takes."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets import CloseCode
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from dependencies.uvicorn import ASGI3Application, HttpProtocol, RequestResponseCycle, Server, WebSocketProtocol
from tests.dependencies.library import Library

UVICORN = Library("uvicorn", "uvicorn")
REQUEST = b"GET /%b HTTP/1.1\r\nHost: x\r\n\r\n"


class ServerWithoutSignals(Server):
    def capture_signals(self) -> Any:
        return contextlib.nullcontext()


async def hello(request: Request) -> PlainTextResponse:
    await asyncio.sleep(0.05)
    return PlainTextResponse(f"hello {request.path_params['name']}")


async def echo(websocket: WebSocket) -> None:
    await websocket.accept()
    async for text in websocket.iter_text():
        await websocket.send_text(text)


@asynccontextmanager
async def serving(**options: Any) -> AsyncIterator[tuple[Server, str, int]]:
    """Serves a small application on a port. Yields the server, its host and its port."""
    app = Starlette(routes=[Route("/{name}", hello), WebSocketRoute("/echo/all", echo)])
    protocols = {"http": HttpProtocol, "ws": WebSocketProtocol, **options}
    config = uvicorn.Config(app, lifespan="off", log_config=None, headers=[("X-Own", "1")], **protocols)
    server = ServerWithoutSignals(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        running = asyncio.create_task(server.serve([listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        yield server, *listener.getsockname()
        server.should_exit = True
        await running


async def exchange(host: str, port: int, sent: bytes, answers: int) -> bytes:
    """Sends bytes. Returns what the server sends until this number of answers has ended or the connection is closed."""
    reader, writer = await asyncio.open_connection(host, port)
    writer.write(sent)
    received = b""
    async with asyncio.timeout(10):
        while received.count(b"HTTP/1.1 ") < answers or not received.endswith((b"one", b"two")):
            if not (data := await reader.read(1 << 16)):
                break
            received += data
    writer.close()
    return received


async def test_a_request_is_started_by_the_method_of_the_subclass() -> None:
    started = list[tuple[HttpProtocol, RequestResponseCycle]]()

    class Protocol(HttpProtocol):
        def start_request(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
            started.append((self, cycle))
            super().start_request(cycle, app)

    async with serving(http=Protocol) as (_, host, port), httpx.AsyncClient(trust_env=False) as http:
        answer = await http.get(f"http://{host}:{port}/one")

        assert answer.text == "hello one"
        assert len(started) == 1, UVICORN.has_changed("_start_asgi_task does not start a request")
        ((protocol, cycle),) = started
        assert cycle.scope["path"] == "/one"
        UVICORN.has(
            protocol,
            *("config", "connections", "cycle", "flow", "headers", "logger", "parser", "pipeline", "scope"),
            *("server_state", "transport", "url"),
        )
        UVICORN.has(
            cycle,
            *("disconnected", "keep_alive", "message_event", "more_body", "on_response", "response_complete"),
            *("response_started", "scope"),
        )
        UVICORN.has(protocol.flow, "write_paused")
        UVICORN.has(protocol.parser, "get_http_version")
        UVICORN.has(protocol.server_state, "connections", "default_headers")
        assert protocol in protocol.connections


async def test_requests_of_one_connection_are_started_in_turn() -> None:
    """The head of each is checked when it is complete, and at most one runs."""
    events = list[str]()

    class Protocol(HttpProtocol):
        def on_headers_complete(self) -> None:
            events.append(f"head of {self.url.decode()}, {len(self.pipeline)} wait")
            super().on_headers_complete()

        def on_response_complete(self) -> None:
            events.append("answered")
            super().on_response_complete()

        def start_request(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
            events.append(f"start {cycle.scope['path']}")
            super().start_request(cycle, app)

    async with serving(http=Protocol) as (_, host, port):
        received = await exchange(host, port, REQUEST % b"one" + REQUEST % b"two", 2)

    assert received.count(b"HTTP/1.1 200 OK\r\n") == 2
    assert events == [
        *("head of /one, 0 wait", "start /one", "head of /two, 0 wait", "answered"),
        *("start /two", "answered"),
    ], UVICORN.has_changed(f"the order of the steps is {events}")


async def test_a_whole_response_is_written_without_the_application() -> None:
    """As api/transports/connections.py does."""

    class Protocol(HttpProtocol):
        def start_request(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
            del app
            name = cycle.scope["path"].encode()[1:]
            self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n" + name)
            cycle.response_started = cycle.response_complete = True
            cycle.message_event.set()
            cycle.on_response()

    async with serving(http=Protocol) as (server, host, port):
        received = await exchange(host, port, REQUEST % b"one" + REQUEST % b"two", 2)

        assert received.endswith(b"two"), UVICORN.has_changed("a response that is written at once ends the connection")
        assert server.server_state.tasks == set()


async def test_what_is_not_http_and_a_refused_head_end_in_send_400_response() -> None:
    class Protocol(HttpProtocol):
        def on_headers_complete(self) -> None:
            raise ValueError(self.url)

        def send_400_response(self, msg: str) -> None:
            del msg
            self.transport.write(b"HTTP/1.1 499 " + (self.url or b"unreadable"))
            self.transport.close()

    async with serving(http=Protocol) as (_, host, port):
        assert await exchange(host, port, REQUEST % b"one", 1) == b"HTTP/1.1 499 /one"
        assert await exchange(host, port, b"\x00\x01\r\n\r\n", 1) == b"HTTP/1.1 499 unreadable"


async def test_a_websocket_counts_its_frames_and_can_be_failed() -> None:
    frames = list[int]()

    class Protocol(WebSocketProtocol):
        def handle_events(self) -> None:
            UVICORN.has(self.conn, "events")
            frames.append(len(self.conn.events))
            super().handle_events()
            if sum(frames) == 4:
                self.conn.fail(CloseCode.POLICY_VIOLATION, "enough")
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.transport.close()

    UVICORN.takes(WebSocketProtocol.send, "self", "message")
    async with (
        serving(ws=Protocol) as (server, host, port),
        connect(f"ws://{host}:{port}/echo/all", proxy=None) as client,
    ):
        for text in ("a", "b"):
            await client.send(text)
            assert await client.recv() == text
        (protocol,) = server.server_state.connections
        UVICORN.has(
            protocol,
            *("conn", "data_received", "default_headers", "handshake_initiated", "logger", "loop", "transport"),
            "writable",
        )
        await client.send("c")
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await client.recv()

    assert closed.value.rcvd
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "enough")
    # The handshake and three messages.
    assert frames[:4] == [1, 1, 1, 1], UVICORN.has_changed("conn.events is no list of what was received")


async def test_the_server_calls_the_methods_that_plaudit_overrides() -> None:
    called = list[str]()

    class Noted(ServerWithoutSignals):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            called.append("startup")
            await super().startup(sockets)

        async def on_tick(self, counter: int) -> bool:
            called.append(f"on_tick {counter}")
            return await super().on_tick(counter)

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            called.append("shutdown")
            await super().shutdown(sockets)

    UVICORN.takes(Server.handle_exit, "self", "sig", "frame")
    UVICORN.takes(Server.run, "self", "sockets")
    UVICORN.has(Server, "capture_signals")
    app = Starlette()
    config = uvicorn.Config(
        app, lifespan="off", log_config=None, headers=[("X-Own", "1")], http=HttpProtocol, ws=WebSocketProtocol
    )
    server = Noted(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        running = asyncio.create_task(server.serve([listener]))
        while called[-1:] != ["on_tick 1"]:
            await asyncio.sleep(0.01)
        assert len(server.servers) == 1
        assert (b"x-own", b"1") in [(name.lower(), value) for name, value in server.server_state.default_headers]

        server.config.encoded_headers.append((b"connection", b"close"))
        await server.on_tick(0)
        assert (b"connection", b"close") in server.server_state.default_headers

        server.handle_exit(15, None)
        assert server.should_exit
        await running

    assert called[:2] == ["startup", "on_tick 0"], UVICORN.has_changed(f"the server calls {called}")
    assert called[-1] == "shutdown"
    assert server.config.app is app


def test_a_connection_and_the_configuration_have_what_the_server_uses() -> None:
    UVICORN.has(HttpProtocol, "shutdown")
    UVICORN.has(uvicorn.Config(Starlette()), "bind_socket", "encoded_headers")
