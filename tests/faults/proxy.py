"""A TCP proxy that loses what it is told to lose: a request that never arrives, or a reply that never comes back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from enum import Enum

HOST = "127.0.0.1"
CHUNK = 1 << 16


class Loss(Enum):
    """What happens to a connection on which the awaited word is sent."""

    REQUEST = "the word never arrives, and the connection breaks"
    REPLY = "the word arrives and takes effect, and the connection breaks before its reply"


class Proxy:
    """Passes everything on, until `lose` names a word that clients send; then, once, one connection is broken."""

    def __init__(self, upstream: int) -> None:
        self._upstream = upstream
        self._word: bytes | None = None
        self._loss = Loss.REPLY
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0
        self.lost = 0

    def lose(self, word: bytes, loss: Loss) -> None:
        """The next time a client sends `word`."""
        self._word, self._loss = word, loss

    async def serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        """Passes one client's connection on."""
        task = asyncio.ensure_future(self._connect(client, to_client))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Breaks every connection."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _connect(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        async with _closing(to_client):
            with suppress(OSError):
                server, to_server = await asyncio.open_connection(HOST, self._upstream)
                async with _closing(to_server):
                    replies = asyncio.create_task(_pump(server, to_client))
                    try:
                        await self._requests(client, to_server, server, replies)
                    finally:
                        replies.cancel()
                        await asyncio.wait([replies])

    async def _requests(
        self,
        client: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
        server: asyncio.StreamReader,
        replies: asyncio.Task[None],
    ) -> None:
        with suppress(OSError):
            while data := await client.read(CHUNK):
                if self._word and self._word in data:
                    self._word = None
                    self.lost += 1
                    if self._loss is Loss.REPLY:
                        replies.cancel()
                        await asyncio.wait([replies])
                        to_server.write(data)
                        await server.read(CHUNK)
                    return
                to_server.write(data)
                await to_server.drain()


@asynccontextmanager
async def _closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    try:
        yield
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(CHUNK):
            sink.write(data)
            await sink.drain()
    sink.close()


@asynccontextmanager
async def proxied(port: int) -> AsyncIterator[Proxy]:
    """A proxy in front of a server on loopback."""
    proxy = Proxy(port)
    listener = await asyncio.start_server(proxy.serve, HOST, 0)
    proxy.port = listener.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        listener.close()
        await proxy.close()
