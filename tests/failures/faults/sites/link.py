"""The network between two sites: each direction has a delay of its own, and may be cut alone.

As in a real network, a cut is silent: what was sent waits, as TCP repeats it, and arrives when the direction is whole
again. A delay does not limit how much passes in a second, unlike that of tests/support/fault_proxy.py.
"""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

from tests.support.fault_proxy import CHUNK, HOST, closing, stop

_MOST_WAITING = 256
"""The most pieces of one connection that are under way. Then the sender waits, as it does for a full window of TCP."""


class Direction:
    """One direction of a network. `delay` is in seconds."""

    def __init__(self) -> None:
        self.delay = 0.0
        self._whole = asyncio.Event()
        self._whole.set()

    def cut(self) -> None:
        """Lets nothing arrive until `mend` is called."""
        self._whole.clear()

    def mend(self) -> None:
        """Ends a cut. What has waited arrives."""
        self._whole.set()

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries what one side of a connection sends, and its end, to the other side."""
        waiting = asyncio.Queue[tuple[float, bytes]](_MOST_WAITING)
        clock = asyncio.get_running_loop().time
        async with asyncio.TaskGroup() as group:
            group.create_task(self._deliver(waiting, writer))
            with suppress(OSError):
                while data := await reader.read(CHUNK):
                    await waiting.put((clock() + self.delay, data))
            await waiting.put((clock() + self.delay, b""))

    async def _deliver(self, waiting: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        clock = asyncio.get_running_loop().time
        is_open = True
        while True:
            due, data = await waiting.get()
            await asyncio.sleep(due - clock())
            await self._whole.wait()
            if not data:
                break
            if is_open:
                try:
                    writer.write(data)
                    await writer.drain()
                except OSError:
                    is_open = False
        writer.close()


class Ways(NamedTuple):
    """Both directions between two sites, for the connections that the second site opens to the first one, and for those
    that the first one opens to the second.
    """

    to_first: Direction
    to_second: Direction

    def delay(self, seconds: float) -> None:
        """Delays each direction."""
        for one in self:
            one.delay = seconds

    def cut(self) -> None:
        """Cuts both directions."""
        for one in self:
            one.cut()

    def mend(self) -> None:
        """Ends all cuts."""
        for one in self:
            one.mend()


class Link:
    """Carries connections to the port `upstream` of another site. `there` is the direction of what clients send, `back`
    that of what the server sends.
    """

    def __init__(self, upstream: int, there: Direction, back: Direction) -> None:
        self.upstream = upstream
        self.port = 0
        self._there, self._back = there, back
        self._lines: set[asyncio.Task[None]] = set()
        self._listener: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """Returns the URL of an HTTP server behind this link."""
        return f"http://{HOST}:{self.port}"

    async def open(self) -> None:
        """Begins to listen."""
        self._listener = await asyncio.start_server(self._serve, HOST, 0)
        self.port = self._listener.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Ends all connections."""
        assert self._listener
        await stop(self._listener)
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        line = asyncio.ensure_future(self._connect(client, to_client))
        self._lines.add(line)
        line.add_done_callback(self._lines.discard)
        line.add_done_callback(lambda _: to_client.close())

    async def _connect(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        async with closing(to_client):
            with suppress(OSError):
                server, to_server = await asyncio.open_connection(HOST, self.upstream)
                async with closing(to_server), asyncio.TaskGroup() as group:
                    group.create_task(self._there.carry(client, to_server))
                    group.create_task(self._back.carry(server, to_client))


@asynccontextmanager
async def linked(links: Iterable[Link]) -> AsyncIterator[None]:
    """Opens links while the block runs."""
    opened = [*links]
    for link in opened:
        await link.open()
    try:
        yield
    finally:
        for link in opened:
            await link.close()
