"""A server on a real port inside the test, and clients of subscriptions: WebSocket and SSE."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import orjson
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from api.transports.websocket import PROTOCOL
from app import create_app
from identity import auth
from models.counters import EntityRef
from server import Server
from settings import Settings
from store.realtime.events import Events
from tests.support.system import Api, System

WATCH = "subscription ($ids: [ID!]!) { reactableChanged(ids: $ids) { id likeCount viewerReaction } }"
PATIENCE = 20.0
"""Seconds after which a wait fails."""
HOME_POST_ADDED = "subscription { homePostAdded { cursor reason node { id text author { handle } } } }"


class ServerWithoutSignals(Server):
    """A server that installs no signal handlers."""

    def capture_signals(self) -> Any:
        return contextlib.nullcontext()


class ApiAtAddress(Api):
    """An API at a network address, in this process or in another."""

    address: str
    """Host and port."""

    def token(self, handle: str, life: float = 3600) -> str:
        return f"Bearer {auth.mint(self.settings, handle, life=life)}"

    @asynccontextmanager
    async def socket(self, handle: str | None = None, **options: Any) -> AsyncIterator["Socket"]:
        """Opens a WebSocket that is acknowledged, as a user or anonymously."""
        async with self.raw(**options) as socket:
            await socket.init({} if handle is None else {"authorization": self.token(handle)})
            yield socket

    @asynccontextmanager
    async def raw(self, *, subprotocols: tuple[str, ...] = (PROTOCOL,), **options: Any) -> AsyncIterator["Socket"]:
        """Opens a WebSocket that has sent nothing yet."""
        url = f"ws://{self.address}/graphql"
        async with connect(url, subprotocols=list(subprotocols) or None, proxy=None, **options) as connection:  # type: ignore[arg-type]
            yield Socket(connection)

    @asynccontextmanager
    async def stream(self, ids: list[str], handle: str | None = None, **changes: Any) -> AsyncIterator["Stream"]:
        """Opens an SSE stream, as a user or anonymously."""
        headers = {"accept": "text/event-stream"}
        if handle is not None:
            headers["authorization"] = self.token(handle, changes.pop("life", 3600))
        body = {"query": WATCH, "variables": {"ids": ids}, **changes}
        if "$ids" not in (body["query"] or "$ids"):
            del body["variables"]
        async with httpx.AsyncClient(timeout=PATIENCE, trust_env=False) as http:
            url = f"http://{self.address}/graphql"
            async with http.stream("POST", url, json=body, headers=headers) as response:
                yield Stream(response)


class Live(System, ApiAtAddress):
    """The application on a port. A test can also call it in process."""

    server: Server

    @property
    def connection_count(self) -> int:
        """The number of connections that the server holds."""
        taken: int = self.app.state.streaming_limits.count
        return taken


class Socket:
    """A WebSocket client."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: Any) -> None:
        await self.connection.send(orjson.dumps(message).decode())

    async def receive(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            message = await self.connection.recv()
        assert isinstance(message, str), "frames are text"
        received: dict[str, Any] = orjson.loads(message)
        return received

    async def init(self, payload: dict[str, Any]) -> None:
        await self.send(type="connection_init", payload=payload)
        assert await self.receive() == {"type": "connection_ack"}

    async def subscribe(self, ids: list[str], id_: str = "1", query: str = WATCH) -> None:
        await self.send(id=id_, type="subscribe", payload={"query": query, "variables": {"ids": ids}})

    async def value(self, id_: str = "1") -> dict[str, Any]:
        """Returns the next event's value."""
        message = await self.receive()
        assert (message["id"], message["type"]) == (id_, "next"), message
        assert message["payload"].keys() == {"data", "extensions"}, message
        found: dict[str, Any] = message["payload"]["data"]["reactableChanged"]
        return found

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
        """Returns the values up to the first wanted one."""
        values = [await self.value()]
        while not wanted(values[-1]):
            values.append(await self.value())
        return values

    async def closed(self) -> tuple[int, str]:
        """Returns why the server closes the connection. Drops what arrives before."""
        with pytest.raises(ConnectionClosed) as closing:
            while True:
                await self.receive()
        assert closing.value.rcvd
        return closing.value.rcvd.code, closing.value.rcvd.reason


class Stream:
    """An SSE client."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.comments = 0
        self._lines = response.aiter_lines()

    async def event(self) -> tuple[str, Any] | None:
        """Returns the next event and its data; None at the end."""
        name, data = "", None
        async with asyncio.timeout(PATIENCE):
            async for line in self._lines:
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data:"):
                    data = orjson.loads(line[5:]) if line[5:].strip() else None
                elif line == ":":
                    self.comments += 1
                elif not line and name:
                    return name, data
        return None

    async def value(self) -> dict[str, Any]:
        """Returns the next event's value."""
        event = await self.event()
        assert event, "the stream has ended"
        assert event[0] == "next", event
        assert event[1].keys() == {"data", "extensions"}, event
        found: dict[str, Any] = event[1]["data"]["reactableChanged"]
        return found


@asynccontextmanager
async def serving(settings: Settings) -> AsyncIterator[Live]:
    """Serves the application on a free port while the block runs, then stops it as a signal does."""
    app = create_app(settings)
    server = ServerWithoutSignals(app, settings)
    task = asyncio.create_task(server.serve())
    try:
        while not server.started:
            assert not task.done(), "the server did not start"
            await asyncio.sleep(0.01)
        transport = httpx.ASGITransport(app=app, client=("203.0.113.7", 4711))
        async with httpx.AsyncClient(transport=transport, base_url="http://plaudit.test", timeout=30) as http:
            live = Live(app, http, settings)
            live.server, live.address = server, "{}:{}".format(*server.servers[0].sockets[0].getsockname())
            yield live
    finally:
        server.should_exit = True
        await task


async def eventually(holds: Callable[[], bool]) -> None:
    """Returns when the condition holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


async def kill_listeners(live: Live) -> None:
    """Breaks every connection that listens to Redis."""
    client = live.state.redis.client
    await client.initialize()
    nodes = client.get_nodes() if live.state.redis.cluster else [None]
    for node in nodes:
        options = {"target_nodes": node} if node else {}
        assert await client.execute_command("CLIENT", "KILL", "TYPE", "pubsub", **options) is not None


async def lose_publication(_: Events, refs: Iterable[EntityRef]) -> None:
    """Replaces a publication and sends nothing."""
    assert list(refs)
