"""Two sites: while the network between them fails, or parts of the reading site do, each acknowledged change is stored
once, and the reading site shows nothing that is older than promised.

`PLAUDIT_SITE_ROUNDS` is how often each round runs. The table is printed, and written as JSON to the file that
`PLAUDIT_SITE_REPORT` names.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from operator import attrgetter
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from state import opened
from tests.failures.faults.checker import drained, violations
from tests.failures.faults.client import PatientApi
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.failures.sites.probes import Probes, probing
from tests.failures.sites.report import HEADER, Counted, counted, histograms, write
from tests.failures.sites.rounds import ROUNDS, Round
from tests.failures.sites.scene import Sites, started_sites

pytestmark = [pytest.mark.prove, pytest.mark.timeout(1800)]
TIMES = int(os.environ.get("PLAUDIT_SITE_ROUNDS", "1"))
REPORT = os.environ.get("PLAUDIT_SITE_REPORT")
NORMAL = 3.0
"""Seconds of load before the round, and after it."""
MORE = 30
"""The changes that must be acknowledged after the round."""
CLIENT_TIMEOUT = 4.0
"""Seconds. An API answers within `request_timeout`."""


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def sites(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sites]:
    async with started_sites(tmp_path_factory.mktemp("sites")) as one:
        await one.ready()
        yield one


@pytest.fixture(scope="module")
def table() -> Iterator[list[Counted]]:
    """Collects the results of all rounds. Prints and writes them at the end."""
    rounds: list[Counted] = []
    yield rounds
    print("\n" + "\n".join([HEADER, *(one.row() for one in rounds)]) + "\n\n" + histograms(rounds))
    if REPORT:
        write(rounds, Path(REPORT))


@asynccontextmanager
async def watched(sites: Sites, probes: Probes) -> AsyncIterator[None]:
    """Watches the log and the stalls while the block runs."""
    async with AsyncExitStack() as stack:
        states = [
            await stack.enter_async_context(opened(seen.settings, "watch", makes_ids=False)) for seen in sites.seen
        ]
        tasks = [asyncio.create_task(one) for one in (probes.watch.beat(), probes.watch.look(*states))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def probed(sites: Sites, prefix: str, history: History) -> AsyncIterator[Probes]:
    """Runs all probes while the block runs."""
    async with AsyncExitStack() as stack:
        http = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=CLIENT_TIMEOUT, trust_env=False))
            for url in sites.deployment.urls
        ]
        probes, tasks = await probing(PatientApi(http[0], sites.deployment.settings), http, prefix, history.broken)
        async with watched(sites, probes), asyncio.TaskGroup() as group:
            for task in tasks:
                group.create_task(task)
            try:
                yield probes
            finally:
                probes.stopping = True


async def run_round(sites: Sites, one: Round, name: str) -> Counted:
    """Runs clients and probes at both sites before, during and after a round. Counts what was wrong."""
    await sites.ready()
    loaded = working(sites.deployment, name, users=4, pause=1.0, changes=True, everywhere=True)
    async with loaded as history, probed(sites, name, history) as probes:
        await asyncio.sleep(NORMAL)
        print(f"{time.time():.3f} {one.name} begins", flush=True)
        async with one.happens(sites):
            await asyncio.sleep(one.seconds)
        print(f"{time.time():.3f} {one.name} ends", flush=True)
        await sites.ready()
        await history.grows(MORE)
        await asyncio.sleep(NORMAL)
    print(f"{time.time():.3f} clients have ended", flush=True)
    acknowledged = history.broken.acknowledged.total()
    found = await checked(sites, history)
    result = counted(one.name, acknowledged, probes, found)
    for sentence in [*found, *probes.missing]:
        print(sentence)
    print(result.row(), flush=True)
    return result


async def checked(sites: Sites, history: History) -> list[str]:
    """Returns a sentence for each deviation from what users were promised, in the stores and answers of each site."""
    write_site, reading_site = sites.seen
    async with opened(write_site.settings, "drained", makes_ids=False) as state:
        await drained(state)
    await asyncio.sleep(1)
    await sites.ready()
    found = await violations(write_site, history)
    print(f"{time.time():.3f} checked the write site", flush=True)
    there = await violations(reading_site, history)
    return found + [f"{line} (at the reading site)" for line in there if line not in found]


@pytest.mark.parametrize("one", ROUNDS, ids=attrgetter("name"))
async def test_clients_at_both_sites_lose_nothing_and_see_nothing_older_than_promised(
    sites: Sites, one: Round, table: list[Counted]
) -> None:
    results = [await run_round(sites, one, f"r{ROUNDS.index(one)}x{number}") for number in range(TIMES)]
    table += results
    assert [result.row() for result in results if not result.is_right] == []
