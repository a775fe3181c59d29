"""Measures the time from the acknowledgement of a like until its transaction is committed in Postgres,
at a low load.
"""

from contextlib import AsyncExitStack
from itertools import islice

from sqlalchemy import text

from bench.client import connected
from bench.journal import persisted, until_persisted
from bench.likes import LIKED, requests
from bench.machine import Machine
from bench.pace import pace
from bench.results import Result, percentiles
from domain.versions import version_at

# The journal's time of an entry is just before the acknowledgement, so these times are slightly too long. Both clocks
# are of this machine.
_DELAYS = text("""
    SELECT extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 - (version >> 20) AS ms
    FROM like_log WHERE version >= :since ORDER BY ms
""")
_NORMALLY_MS = 1000  # W3


async def measure(machine: Machine) -> list[Result]:
    """Measures the percentiles of this time, in milliseconds."""
    sizes, pairs = machine.sizes, machine.community.pairs
    async with AsyncExitStack() as stack:
        stack.enter_context(machine.worker())
        client = await stack.enter_async_context(connected(machine.api_port, sizes.connections))
        before = await persisted(machine)
        warm = await client.flood(requests(islice(pairs, sizes.connections)), LIKED)
        await until_persisted(machine, before + warm.answered)
        since = version_at(machine.state.now_ms())
        sent = int(sizes.paced_per_second * sizes.paced_seconds)
        await pace(client, requests(islice(pairs, sent)), LIKED, sizes.paced_per_second)
        await until_persisted(machine, before + warm.answered + sent)
    delays = [float(ms) for (ms,) in await machine.state.postgres.read(_DELAYS, since=since)]
    assert len(delays) == sent
    what = f"ms to commit, {sizes.paced_per_second:.0f} likes/s"
    return percentiles("persisted", what, delays, p99_at_most=_NORMALLY_MS)
