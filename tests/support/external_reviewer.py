"""An external reviewer: an HTTP server on loopback that returns what a test tells it to return."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from settings import ReviewerSettings
from tests.support.system import LENIENT, System
from workers import content_reviews, external_reviewer

SECRET = "correct horse battery staple"
Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]
EVERY = range(64)


@dataclass
class Request:
    """A request as it arrived. Header names are in lower case."""

    line: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Server:
    """A server that responds to every request with `answer`."""

    port: int = 0
    answer: Answer = field(default_factory=lambda: json_response({"decision": "approve"}))
    requests: list[Request] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/review"

    def settings(self, **changes: Any) -> ReviewerSettings:
        return ReviewerSettings(**{"url": self.url, "secret": SECRET, **changes})

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                self.requests.append(await _request(reader))
                await self._answer(writer)

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            await self.answer(writer)
            await writer.drain()
        finally:
            self.under_way -= 1


async def _request(reader: asyncio.StreamReader) -> Request:
    line, *lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    headers = {name.lower(): value for name, _, value in (one.partition(": ") for one in lines if one)}
    return Request(line, headers, await reader.readexactly(int(headers["content-length"])))


def plain(body: bytes, status: str = "200 OK", *headers: str) -> Answer:
    """Returns a whole HTTP response."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
        writer.write("\r\n".join(head).encode() + body)

    return answer


def json_response(body: object, status: str = "200 OK", *headers: str) -> Answer:
    """Returns a whole HTTP response with a JSON body."""
    return plain(json.dumps(body).encode(), status, *headers)


@asynccontextmanager
async def listening() -> AsyncIterator[Server]:
    server = Server()
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(server.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(lambda _: writer.transport.abort())  # also of a task cancelled before its first step

    listener = await asyncio.start_server(accept, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def review_all(system: System, *, drained: bool = True) -> int:
    """Drains the system and sends all due submissions to the reviewer. Returns their number."""
    if drained:
        await system.drain()
    due = await ask_reviewer(system)
    await system.drain()
    return due


async def ask_reviewer(system: System) -> int:
    """Sends all due submissions to the reviewer. Returns their number."""
    settings = system.settings.moderation.reviewer
    assert settings
    async with external_reviewer.opened(settings, system.state.labels) as external:
        return await content_reviews.step(system.state, external, EVERY)


def with_reviewer(server: Server) -> object:
    """Returns lenient moderation settings with this server as the external reviewer."""
    return LENIENT.model_copy(update={"reviewer": server.settings()})
