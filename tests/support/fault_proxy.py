"""A TCP proxy that behaves like a network: it delays, holds back, forgets connections, or is cut.

It can also lose one request before it arrives, or one reply after the request was executed.
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from enum import Enum

HOST = "127.0.0.1"
CHUNK = 1 << 16

Line = asyncio.Task[None]
"""The task of one connection from a client to the server."""


class Loss(Enum):
    """The message that is lost when a client sends the watched word: its request or the reply."""

    REQUEST = "the word never arrives, and the connection breaks"
    REPLY = "the word arrives and takes effect, and the connection breaks before its reply"


class Proxy:
    """Forwards connections to the port `upstream`. If a test changes the port, new connections go to the new port.

    `lose` breaks one connection when a client sends a given word.
    """

    def __init__(self, upstream: int) -> None:
        self.upstream = upstream
        self.delay = 0.0
        """Seconds by which requests to the server are delayed."""
        self.reply_delay = 0.0
        """Seconds by which what the server sends is delayed, such as the stream to a replica."""
        self._word: bytes | None = None
        self._loss = Loss.REPLY
        self._lines: set[Line] = set()
        self._forgotten: set[Line] = set()
        self._ended: set[Line] = set()
        self._last, self._number = b"", 0
        self._after: Callable[[bytes], bool] = bool
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._listener: asyncio.Server | None = None
        self.port = 0
        self.lost = 0

    def through(self, url: str) -> str:
        """Returns the URL with this proxy's address in place of the server's."""
        return url.replace(f":{self.upstream}/", f":{self.port}/")

    async def open(self) -> None:
        """Listens, always at the same port."""
        self._listener = await asyncio.start_server(self._serve, HOST, self.port)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def cut(self) -> None:
        """Breaks every connection, and refuses new ones until it is opened."""
        if self._listener:
            await stop(self._listener)
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def hold(self) -> None:
        """Accepts connections and data, and passes nothing on until `flow` is called."""
        self._flowing.clear()

    async def flow(self) -> None:
        """Ends `hold`."""
        self._flowing.set()

    async def forget(self) -> None:
        """Passes nothing on for open connections, like a firewall after its restart. New connections work."""
        self._forgotten = set(self._lines)

    def end(self, last: bytes, after: Callable[[bytes], bool], number: int) -> None:
        """Sends `last` in one packet with a later reply that `after` accepts: the one with this number, from 0. Closes
        that connection when its client sends something again.
        """
        self._last, self._after, self._number = last, after, number

    def lose(self, word: bytes, loss: Loss) -> None:
        """Breaks a connection the next time a client sends `word`."""
        self._word, self._loss = word, loss

    def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        line = asyncio.ensure_future(self._connect(client, to_client))
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)
        line.add_done_callback(lambda _: to_client.close())  # a task cancelled before its first step closes nothing

    async def _connect(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        line = asyncio.current_task()
        assert line
        async with closing(to_client):
            with suppress(OSError):
                server, to_server = await asyncio.open_connection(HOST, self.upstream)
                async with closing(to_server):
                    replies = asyncio.create_task(self._replies(server, to_client, line))
                    try:
                        await self._requests(client, to_server, server, replies, line)
                    finally:
                        replies.cancel()
                        await asyncio.wait([replies])

    async def _requests(
        self,
        client: asyncio.StreamReader,
        to_server: asyncio.StreamWriter,
        server: asyncio.StreamReader,
        replies: Line,
        line: Line,
    ) -> None:
        with suppress(OSError):
            while (data := await client.read(CHUNK)) and line not in self._ended:
                if self._word and self._word in data:
                    self._word = None
                    self.lost += 1
                    if self._loss is Loss.REPLY:
                        replies.cancel()
                        await asyncio.wait([replies])
                        to_server.write(data)
                        await server.read(CHUNK)
                    return
                if self.delay:
                    await asyncio.sleep(self.delay)
                await self._flowing.wait()
                if line not in self._forgotten:
                    to_server.write(data)
                    await to_server.drain()
            await self._flowing.wait()  # holds the end of the stream back, too

    async def _replies(self, server: asyncio.StreamReader, to_client: asyncio.StreamWriter, line: Line) -> None:
        with suppress(OSError):
            while data := await server.read(CHUNK):
                if self.reply_delay:
                    await asyncio.sleep(self.reply_delay)
                await self._flowing.wait()
                if self._last and self._after(data):
                    self._number -= 1
                    if self._number < 0:
                        data, self._last = data + self._last, b""
                        self._ended.add(line)
                if line not in self._forgotten:
                    to_client.write(data)
                    await to_client.drain()
            await self._flowing.wait()
        if line not in self._forgotten:
            to_client.close()


async def stop(listener: asyncio.Server) -> None:
    """Closes a listener after connections that it accepted have reached their callback. Python 3.11 leaks them else."""
    for one in listener.sockets:
        listener.get_loop().remove_reader(one.fileno())
    for _ in range(3):
        await asyncio.sleep(0)
    listener.close()


@asynccontextmanager
async def closing(writer: asyncio.StreamWriter) -> AsyncIterator[None]:
    try:
        yield
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


@asynccontextmanager
async def proxied(port: int) -> AsyncIterator[Proxy]:
    """Runs a proxy in front of a server on loopback while the block runs."""
    proxy = Proxy(port)
    await proxy.open()
    try:
        yield proxy
    finally:
        await proxy.cut()
