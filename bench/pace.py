"""Sends requests at a fixed pace."""

import asyncio
import itertools
import time
from collections.abc import Iterator

from bench.client import Client, Connection, Unexpected


async def pace(client: Client, requests: Iterator[bytes], expected: bytes, per_second: float) -> None:
    """Sends requests at even intervals, `per_second` of them, over all connections of a client. A late answer delays
    only the next request on its connection.

    Raises Unexpected for an answer without the text `expected`.
    """
    began, numbers = time.perf_counter(), itertools.count()

    async def ask(connection: Connection) -> None:
        for request in requests:
            await asyncio.sleep(began + next(numbers) / per_second - time.perf_counter())
            if expected not in (body := await connection.ask(request)):
                raise Unexpected(body)

    await asyncio.gather(*map(ask, client.connections))
