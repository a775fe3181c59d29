"""A load balancer: it forwards connections to servers whose last /readyz response was positive."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import httpx

from tests.support.deployment import is_ready
from tests.support.fault_proxy import closing, stop

HOST = "127.0.0.1"
EVERY = 0.1
"""Seconds between two readings of /readyz."""


class Balancer:
    """A load balancer in front of servers on loopback. New connections go to the servers in turn."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ready = dict.fromkeys(ports, False)
        self._turns = itertools.count()
        self._passing: set[asyncio.Task[None]] = set()
        self.port = 0

    def is_ready(self, port: int) -> bool:
        """Returns whether a server receives connections."""
        return self._ready[port]

    async def look(self) -> None:
        """Polls /readyz of every server."""
        async with httpx.AsyncClient(timeout=1, trust_env=False) as http:
            while True:
                for port in self._ready:
                    self._ready[port] = await is_ready(http, f"http://{HOST}:{port}")
                await asyncio.sleep(EVERY)

    def serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        """Forwards a client's connection, or breaks it if no server accepts it."""
        task = asyncio.ensure_future(self._connect(client, to_client))
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)
        task.add_done_callback(lambda _: to_client.close())  # a task cancelled before its first step closes nothing

    async def close(self) -> None:
        """Breaks all connections."""
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    async def _connect(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        ready = [port for port, is_ready in self._ready.items() if is_ready]
        async with closing(to_client):
            if not ready:
                return
            with suppress(OSError):
                server, to_server = await asyncio.open_connection(HOST, ready[next(self._turns) % len(ready)])
                async with closing(to_server):
                    await asyncio.gather(_pump(client, to_server), _pump(server, to_client))


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(1 << 16):
            sink.write(data)
            await sink.drain()
    sink.close()


@asynccontextmanager
async def balanced(ports: Sequence[int]) -> AsyncIterator[Balancer]:
    """Runs a balancer in front of these ports, on a port of its own, while the block runs."""
    balancer = Balancer(ports)
    listener = await asyncio.start_server(balancer.serve, HOST, 0)
    balancer.port = listener.sockets[0].getsockname()[1]
    looking = asyncio.create_task(balancer.look())
    try:
        yield balancer
    finally:
        looking.cancel()
        await asyncio.wait([looking])
        await stop(listener)
        await balancer.close()
