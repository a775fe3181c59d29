"""Two sites: while the network between them fails, or parts of the reading site do, each acknowledged change is stored
once, and the reading site shows nothing that is older than promised.

`PLAUDIT_SITE_ROUNDS` is how often each round runs, and `PLAUDIT_SITE_ONLY` has the names of the rounds to run, with
commas between them. The table is printed, and written as JSON to the file that `PLAUDIT_SITE_REPORT` names.
"""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

import httpx
import pytest
import pytest_asyncio

from domain.errors import Unavailable
from state import opened
from tests.failures.faults.checker import drained, violations
from tests.failures.faults.client import PatientApi
from tests.failures.faults.history import History
from tests.failures.faults.load import working
from tests.failures.faults.sites.probes import Probes, Probing, probing
from tests.failures.faults.sites.report import HEADER, Counted, counted, histograms, write
from tests.failures.faults.sites.rounds import ROUNDS, Round
from tests.failures.faults.sites.scene import Sites, started_sites
from tests.support.deployment import Deployment

pytestmark = [pytest.mark.prove, pytest.mark.timeout(3600)]
TIMES = int(os.environ.get("PLAUDIT_SITE_ROUNDS", "1"))
ONLY = os.environ.get("PLAUDIT_SITE_ONLY")
CHOSEN = [one for one in ROUNDS if ONLY is None or one.name in ONLY.split(",")]
REPORT = os.environ.get("PLAUDIT_SITE_REPORT")
NORMAL = 3.0
"""Seconds of load before something happens."""
IN_PROGRESS = 3.0
"""Seconds after which no operation is in progress any more, if no client may begin one."""
PATIENCE = 5
"""How often a check is repeated."""
MORE = 30
"""The changes that must be acknowledged after the round."""
_FIRST_LOST = re.compile(r"has lost \[\('([^']+)'")
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
            await stack.enter_async_context(opened(seen.settings, "watch", makes_ids=False))
            for seen in (sites.seen_at_write_site, sites.seen_at_reading_site)
        ]
        tasks = [asyncio.create_task(one) for one in (probes.watch.beat(), probes.watch.look(*states))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@asynccontextmanager
async def paced(total: Callable[[], int]) -> AsyncIterator[list[float]]:
    """Yields a list with the longest time in which `total` did not grow while the block ran, in seconds."""
    longest = [0.0]

    async def look() -> None:
        last, since = total(), time.monotonic()
        while True:
            await asyncio.sleep(0.05)
            longest[0] = max(longest[0], time.monotonic() - since)
            if total() != last:
                last, since = total(), time.monotonic()

    looking = asyncio.create_task(look())
    try:
        yield longest
    finally:
        looking.cancel()


@dataclass
class Crowd:
    """The clients of both sites, which go on from round to round, and the deviations that are known already."""

    sites: Sites
    history: History
    probing: Probing
    known: set[str] = field(default_factory=set)

    async def round(self, one: Round) -> Counted:
        """Runs a round while the clients go on, and counts what was wrong."""
        await self.sites.ready()
        if one.synchronous:
            await self.sites.begin_synchronous()
        before = self.history.broken.acknowledged.total()
        print(f"{time.time():.3f} {one.name}", flush=True)
        self.history.going.set()
        async with self._probed(one) as probes, paced(self.history.broken.acknowledged.total) as pause:
            await asyncio.sleep(NORMAL)
            async with one.happens(self.sites):
                await asyncio.sleep(one.seconds)
            await self.sites.ready()
            await self.history.grows(MORE)
        if one.may_lose:
            self.history.lose_commits()
        self.history.going.clear()
        await asyncio.sleep(IN_PROGRESS)
        found = await self._new(one)
        acknowledged = self.history.broken.acknowledged.total() - before
        result = counted(one.name, acknowledged, probes, found, pause[0])
        for sentence in [*found, *probes.missing]:
            print(sentence)
        print(result.row(), flush=True)
        return result

    @asynccontextmanager
    async def _probed(self, one: Round) -> AsyncIterator[Probes]:
        if one.promotes:
            yield Probes()
            return
        async with self.probing.running(self.sites.write_site) as probes, watched(self.sites, probes):
            yield probes

    async def _new(self, one: Round) -> list[str]:
        """Returns a sentence for each deviation that no earlier round had, in the stores and answers of each site."""
        found = await checked(self.sites, self.history)
        if one.may_lose:
            found += unlisted(found, self.sites.salvaged)
        new = [line for line in found if line not in self.known]
        self.known |= {*new}
        return new


@asynccontextmanager
async def crowded(sites: Sites, prefix: str) -> AsyncIterator[Crowd]:
    """Registers clients of both sites, and lets them go on while the block runs."""
    await sites.ready()
    async with AsyncExitStack() as stack:
        http = [
            await stack.enter_async_context(httpx.AsyncClient(base_url=url, timeout=CLIENT_TIMEOUT, trust_env=False))
            for url in sites.deployment.urls
        ]
        loaded = working(sites.deployment, prefix, users=3, pause=1.0, changes=True, everywhere=True)
        history = await stack.enter_async_context(loaded)
        history.going.clear()
        api = PatientApi(http[0], sites.deployment.settings)
        crowd = Crowd(sites, history, await probing(api, http, prefix, history.broken))
        try:
            yield crowd
        finally:
            history.going.set()


async def patiently(deployment: Deployment, history: History) -> list[str]:
    """Returns the violations. Repeats the check if a store does not answer in time, as on a busy machine."""
    for _ in range(PATIENCE):
        with suppress(Unavailable, TimeoutError):
            return await violations(deployment, history)
    return await violations(deployment, history)


async def checked(sites: Sites, history: History) -> list[str]:
    """Returns a sentence for each deviation from what users were promised, in the stores and answers of each site."""
    write_site, reading_site = sites.seen_at_write_site, sites.seen_at_reading_site
    async with opened(write_site.settings, "drained", makes_ids=False) as state:
        for _ in range(PATIENCE):
            with suppress(TimeoutError):
                await drained(state)
                break
        else:
            await drained(state)
    await asyncio.sleep(1)
    await sites.ready()
    found = await patiently(write_site, history)
    print(f"{time.time():.3f} checked the write site", flush=True)
    there = await patiently(reading_site, history)
    return found + [f"{line} (at the reading site)" for line in there if line not in found]


def unlisted(found: list[str], salvaged: str) -> list[str]:
    """Returns a sentence for each user and entity whose first lost change `plaudit site salvage` has not listed. Later
    changes may have changed nothing without it.
    """
    lost = [name for line in found if (name := _FIRST_LOST.search(line))]
    return [f"{name[1]} is lost, and was not salvaged" for name in lost if f'"{name[1]}"' not in salvaged]


async def test_clients_lose_nothing_and_see_nothing_older_than_promised(sites: Sites, table: list[Counted]) -> None:
    async with crowded(sites, "kept") as crowd:
        results = []
        for one in (one for one in CHOSEN * TIMES if not one.may_lose):
            results.append(await crowd.round(one))
            table.append(results[-1])
    assert [result.row() for result in results if not result.is_right] == []


@pytest.mark.parametrize("one", [one for one in CHOSEN if one.may_lose], ids=attrgetter("name"))
async def test_an_asynchronous_promotion_loses_only_what_the_old_site_lists(
    sites: Sites, one: Round, table: list[Counted]
) -> None:
    async with crowded(sites, f"lost{ROUNDS.index(one)}") as crowd:
        result = await crowd.round(one)
    table.append(result)
    assert result.is_safe, result.row()
