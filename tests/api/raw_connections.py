"""Connections on which a test writes HTTP byte by byte."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.support.subscriptions import Live

POST = b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"


class Client:
    """A connection on which a test writes and reads bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def response(self) -> tuple[int, bytes]:
        """Returns status and body of the next response. The status is 0 if the server closes without a response."""
        async with asyncio.timeout(20):
            try:
                head = await self.reader.readuntil(b"\r\n\r\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0, b""
            length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
            return int(head.split()[1]), await self.reader.readexactly(length)

    async def send(self, *parts: bytes) -> int:
        """Sends parts until the server closes. Returns the status of the response."""
        for part in parts:
            self.writer.write(part)
            await self.writer.drain()
        return (await self.response())[0]

    async def is_closed(self) -> bool:
        """Returns whether the server has closed the connection."""
        async with asyncio.timeout(20):
            with suppress(ConnectionError):
                await self.reader.read()
        return True


@asynccontextmanager
async def connected(live: Live) -> AsyncIterator[Client]:
    reader, writer = await asyncio.open_connection(*live.address.split(":"))
    try:
        yield Client(reader, writer)
    finally:
        writer.transport.abort()
