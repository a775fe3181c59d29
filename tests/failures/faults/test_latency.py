"""The time from acknowledgement to commit (W3). It is printed and not asserted, because machines differ."""

import re
import time
import urllib.request

import pytest
from sqlalchemy import text

import state
from runner.ports import free_port
from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.history import Fate, History
from tests.failures.faults.load import working
from tests.support.deployment import Deployment

# The pause of 20 lanes that gives about this rate on the machine of the author.
LIKES_PER_SECOND = 100
LANES, PAUSE = 20, 0.34
_COMMITTED = text("SELECT source, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 AS at FROM like_log")


@pytest.mark.prove
async def test_acknowledged_changes_are_stored_soon(deployment: Deployment) -> None:
    metrics_port = free_port()
    deployment.start_api()
    worker = deployment.start_worker(metrics_port=metrics_port)
    await deployment.ready()
    await deployment.workers_started(worker)
    started = time.monotonic()

    async with working(deployment, "steady", users=LANES // 2, shared=40, pause=PAUSE, authors=False) as history:
        await history.grows(10 * LIKES_PER_SECOND)
        rate = history.acknowledged / (time.monotonic() - started)

    await assert_consistent(deployment, history)
    delays = await delays_of(deployment, history)
    assert len(delays) > LIKES_PER_SECOND
    print(f"{rate:.0f} operations/s, {len(delays)} changes; from acknowledgement to commit, in ms:")
    print(", ".join(f"{name} {1000 * quantile(delays, q):.0f}" for name, q in QUANTILES.items()))
    with urllib.request.urlopen(f"http://127.0.0.1:{metrics_port}/metrics") as answer:
        shown = answer.read().decode()
    counted = re.search(r"plaudit_persist_seconds_count (\d+)", shown)
    assert counted
    assert int(counted[1]) >= len(delays)


QUANTILES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}


def quantile(values: list[float], q: float) -> float:
    return sorted(values)[min(len(values) - 1, int(q * len(values)))]


async def delays_of(deployment: Deployment, history: History) -> list[float]:
    """Returns the seconds from each acknowledgement to the commit of its change. A commit may be earlier."""
    acknowledged = {op.name: op.acknowledged_at for op in history.ops if op.fate is Fate.ACKNOWLEDGED}
    async with state.opened(deployment.settings, "latency", makes_ids=False) as stores:
        rows = await stores.postgres.read(_COMMITTED)
    return [at - acknowledged[source] for source, at in rows if source in acknowledged]
