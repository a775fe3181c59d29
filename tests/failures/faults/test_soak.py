"""Half an hour of all kinds of requests leaves memory, tasks and connections of processes constant."""

import asyncio
import os
import re
import time
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import httpx
import psutil
import pytest

from runner.ports import free_port
from runner.postgres import Postgres
from runner.process import Process
from runner.valkey import Valkey
from tests.failures.faults.checker import assert_consistent
from tests.failures.faults.crowd import Crowd
from tests.failures.faults.load import working
from tests.support.deployment import Deployment

SECONDS = float(os.environ.get("PLAUDIT_SOAK_SECONDS", "1800"))
SAMPLES = 90
_TASKS = re.compile(r"^plaudit_tasks (\S+)", re.MULTILINE)


class Sample(NamedTuple):
    """A measurement of all processes and stores."""

    api_mb: float
    worker_mb: float
    api_tasks: float
    worker_tasks: float
    api_files: float
    worker_files: float
    postgres_processes: float
    redis_connections: float


SLACK = Sample(15, 15, 40, 10, 20, 10, 3, 8)
"""The permitted growth of each value from the second to the last third of the samples."""


class Watched:
    """The processes and stores of a soak."""

    def __init__(self, stores: tuple[Postgres, Valkey], api: Process, worker: Process, urls: Sequence[str]) -> None:
        self._postgres, self._valkey = stores
        self._processes = [psutil.Process(process.pid) for process in (api, worker)]
        self._urls = urls

    async def sample(self) -> Sample:
        async with httpx.AsyncClient(trust_env=False, timeout=10) as http:
            found = [_TASKS.search((await http.get(f"{url}/metrics")).text) for url in self._urls]
        assert self._postgres.pid
        return Sample._make(
            [
                *[process.memory_info().rss / 1_000_000 for process in self._processes],
                *[float(one[1]) if one else 0.0 for one in found],
                *[process.num_fds() for process in self._processes],
                len(psutil.Process(self._postgres.pid).children()),
                self._valkey.command("INFO", "clients")["connected_clients"],
            ]
        )


@pytest.mark.prove
@pytest.mark.timeout(SECONDS + 300)
async def test_resource_usage_stays_constant_under_load(
    stores: tuple[Postgres, Valkey], deployment: Deployment
) -> None:
    port, samples = free_port(), list[Sample]()
    api, worker = deployment.start_api(), deployment.start_worker(metrics_port=port)
    await deployment.ready()
    await deployment.workers_started(worker)
    watched = Watched(stores, api, worker, (deployment.url, f"http://127.0.0.1:{port}"))
    async with (
        httpx.AsyncClient(base_url=deployment.url, timeout=20, trust_env=False) as http,
        working(deployment, "soak", users=4, pause=0.5) as history,
    ):
        crowd = Crowd(deployment, http)
        await crowd.sign_in()
        living = asyncio.create_task(crowd.live())
        end = time.monotonic() + SECONDS
        while time.monotonic() < end and not living.done():
            await asyncio.sleep(SECONDS / SAMPLES)
            samples.append(await watched.sample())
            print(*(f"{value:.0f}" for value in samples[-1]), sep="\t", flush=True)
        assert not living.done(), living.exception()
        living.cancel()
        await asyncio.wait([living])

    print(f"{crowd.done} of the crowd's, {history.acknowledged} acknowledged reactions, {len(crowd.failed)} failed")
    assert len(crowd.failed) <= crowd.done / 1000, crowd.failed[:5]
    check_flat(samples)
    await assert_consistent(deployment, history)


def check_flat(samples: Sequence[Sample]) -> None:
    """Compares the medians of the second and the last third."""
    third = len(samples) // 3
    for name, before, after, slack in zip(
        Sample._fields,
        map(median, zip(*samples[third : 2 * third], strict=True)),
        map(median, zip(*samples[2 * third :], strict=True)),
        SLACK,
        strict=True,
    ):
        assert after <= before + slack, f"{name} has grown from {before:.0f} to {after:.0f}"
