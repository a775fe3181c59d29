"""An HTTP client that uses very little CPU: it has raw keep-alive connections, and sends requests that are prepared as
bytes.

The client runs on the machine that it measures, so its own cost must be negligible.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, cast

import orjson

from runner.ports import HOST


def graphql(token: str, query: str, variables: dict[str, Any]) -> bytes:
    """Returns a complete HTTP request to /graphql, as bytes. `token` is the bearer token of the user."""
    return post(token, {"query": query, "variables": variables})


def post(token: str, message: dict[str, Any]) -> bytes:
    """Returns a complete HTTP request to /graphql, as bytes, whose body is `message` as JSON."""
    body = orjson.dumps(message)
    head = (
        f"POST /graphql HTTP/1.1\r\nHost: {HOST}\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {token}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Unexpected(Exception):
    """Raised if the server sends an answer that the benchmark does not expect."""


class Connection(asyncio.Protocol):
    """A connection for one request at a time. It connects on first use, and again after the server closed it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._received = bytearray()
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[bytes] | None = None

    async def ask(self, request: bytes) -> bytes:
        """Sends a request. Returns the body of the answer. Raises Unexpected for a status other than 200, and
        ConnectionError if the server closes the connection.
        """
        loop = asyncio.get_running_loop()
        if self._transport is None or self._transport.is_closing():
            await loop.create_connection(lambda: self, HOST, self._port)
        assert self._transport is not None
        self._answer = loop.create_future()
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        if self._transport:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # the types of uvloop do not declare it

    def connection_lost(self, exc: Exception | None) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_exception(exc or ConnectionResetError("the server closed the connection"))

    def data_received(self, data: bytes) -> None:
        self._received += data
        body_at = self._received.find(b"\r\n\r\n") + 4
        if body_at < 4 or self._answer is None:
            return
        head = bytes(self._received[:body_at]).lower()
        end = body_at + int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        if len(self._received) < end:
            return
        body = bytes(self._received[body_at:end])
        del self._received[:end]
        if head.startswith(b"http/1.1 200"):
            self._answer.set_result(body)
        else:
            self._answer.set_exception(Unexpected(head + body))


class Flood(NamedTuple):
    """The result of sending many requests: the number of answers, and the duration in seconds."""

    answered: int
    seconds: float

    @property
    def rate(self) -> float:
        """Returns the number of answers per second."""
        return self.answered / self.seconds


class Client:
    """A fixed number of connections to one server on this machine."""

    def __init__(self, port: int, connections: list[Connection]) -> None:
        self.port = port
        self.connections = connections

    async def ask(self, request: bytes) -> bytes:
        """Sends one request on the first connection. Returns the body of the answer. Raises the errors of
        `Connection.ask`.
        """
        return await self.connections[0].ask(request)

    async def flood(self, requests: Iterator[bytes], expected: bytes, seconds: float = float("inf")) -> Flood:
        """Sends requests on all connections, each as soon as the previous one is answered, until `seconds` have passed
        or there are no more requests.

        Raises Unexpected for an answer without the text `expected`.
        """
        started = time.perf_counter()
        asking = [_ask_on(one, requests, expected, started + seconds) for one in self.connections]
        answered = sum(await asyncio.gather(*asking))
        return Flood(answered, time.perf_counter() - started)


async def _ask_on(connection: Connection, requests: Iterator[bytes], expected: bytes, until: float) -> int:
    answered = 0
    while time.perf_counter() < until and (request := next(requests, None)):
        body = await connection.ask(request)
        if expected not in body:
            raise Unexpected(body)
        answered += 1
    return answered


@asynccontextmanager
async def connected(port: int, connections: int) -> AsyncIterator[Client]:
    """Yields a client with this number of connections to a port, and closes them when the block ends."""
    opened = [Connection(port) for _ in range(connections)]
    try:
        yield Client(port, opened)
    finally:
        for one in opened:
            one.close()
