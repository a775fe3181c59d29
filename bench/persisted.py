"""Measures the time from the acknowledgement of a like to its commit, at a low load."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from itertools import islice

from sqlalchemy import text

from bench.client import Connection, Unexpected, connected
from bench.journal import persisted, until_persisted
from bench.likes import LIKED, requests
from bench.machine import Machine
from bench.results import Result, percentiles
from store.write_log.journal import version_at

# The journal's time of an entry is just before the acknowledgement, so these times are slightly too long. Both clocks
# are of this machine.
_DELAYS = text("""
    SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 - (version >> 20) AS ms
    FROM like_log WHERE version >= :since ORDER BY ms
""")
_NORMALLY_MS = 1000  # W3


async def measure(machine: Machine) -> list[Result]:
    """Measures percentiles of the time from acknowledgement to commit."""
    sizes, pairs = machine.sizes, machine.community.pairs
    async with AsyncExitStack() as stack:
        stack.enter_context(machine.worker())
        client = await stack.enter_async_context(connected(machine.api_port, sizes.connections))
        before = await persisted(machine)
        warm = await client.flood(requests(islice(pairs, sizes.connections)), LIKED)
        await until_persisted(machine, before + warm.answered)
        since = version_at(machine.state.now_ms())
        sent = int(sizes.paced_per_second * sizes.paced_seconds)
        await _pace(client.connections, requests(islice(pairs, sent)), sent, sizes.paced_per_second)
        await until_persisted(machine, before + warm.answered + sent)
    delays = [float(ms) for (ms,) in await machine.state.postgres.read(_DELAYS, since=since)]
    assert len(delays) == sent
    what = f"ms to commit, {sizes.paced_per_second:.0f} likes/s"
    return percentiles("persisted", what, delays, p99_at_most=_NORMALLY_MS)


async def _pace(connections: Sequence[Connection], likes: Iterator[bytes], count: int, per_second: float) -> None:
    """Sends likes at even intervals, without waiting for the answers to earlier ones."""
    started = time.perf_counter()

    async def ask(connection: Connection, first: int) -> None:
        for i in range(first, count, len(connections)):
            await asyncio.sleep(started + i / per_second - time.perf_counter())
            body = await connection.ask(next(likes))
            if LIKED not in body:
                raise Unexpected(body)

    await asyncio.gather(*[ask(connection, first) for first, connection in enumerate(connections)])
