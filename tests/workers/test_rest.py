"""A worker at rest waits for entries with blocking reads: it sends little to Redis, and stores the next write soon."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import pytest_asyncio

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from store.redis.client import RedisDown
from store.write_log.arrivals import Arrivals
from tests.support.deployment import deployed
from tests.support.journal_entries import neighbours
from tests.support.system import System, running
from tests.support.workers import until, working

LIKES = "SELECT count(*) FROM reactions"
COUNTED_SECONDS = 12


@pytest_asyncio.fixture
async def patient(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Returns a system whose workers would read a journal only every minute if they polled."""
    async with running(make_settings(batches={"window_seconds": 60.0})) as system:
        yield system


@asynccontextmanager
async def waiting(system: System) -> AsyncIterator[Arrivals]:
    arrivals = Arrivals(system.state.redis, system.state.keys)
    try:
        yield arrivals
    finally:
        await arrivals.close()


async def ends(system: System) -> dict[int, int]:
    """Returns the version of the last entry of each journal."""
    return {p: one.last for p, one in (await system.state.journals.opened(range(system.settings.partitions))).items()}


async def test_the_first_write_after_a_rest_is_stored_at_once(patient: System) -> None:
    (video,) = await patient.videos("v1")
    worker = patient.worker()
    async with working(worker):
        await until(lambda: asyncio.sleep(0, worker.owned.keys() == set(range(patient.settings.partitions))))
        await asyncio.sleep(1)
        await patient.person("alice").like(video)
        await until(lambda: patient.rows("SELECT 1 FROM like_log"), 10)


async def test_a_worker_at_rest_stops_at_once(patient: System) -> None:
    async with working(patient.worker()):
        await asyncio.sleep(1)
        stopping = time.monotonic()

    assert time.monotonic() - stopping < 10


async def test_a_wait_ends_when_any_journal_has_a_new_entry(system: System) -> None:
    (video,) = await system.videos("v1")
    (one,) = await neighbours(system, 1)
    async with waiting(system) as arrivals:
        after = await ends(system)
        assert not await arrivals.wait(after, 0.2, asyncio.Event())
        wait = asyncio.create_task(arrivals.wait(after, 20, asyncio.Event()))
        await one.person.like(video)
        async with asyncio.timeout(10):
            while not await wait:  # a read that began before may have ended without an entry
                wait = asyncio.create_task(arrivals.wait(after, 20, asyncio.Event()))


async def test_a_wait_is_about_the_journals_that_a_worker_owns_now(system: System) -> None:
    (video,) = await system.videos("v1")
    (one,) = await neighbours(system, 1)
    after = await ends(system)
    others = {p: version for p, version in after.items() if p != one.partition}
    async with waiting(system) as arrivals:
        assert not await arrivals.wait(others, 0.2, asyncio.Event())
        await one.person.like(video)
        assert not await arrivals.wait(others, 0.5, asyncio.Event())
        async with asyncio.timeout(10):
            while not await arrivals.wait(after, 20, asyncio.Event()):
                pass


async def test_a_worker_without_journals_waits(system: System) -> None:
    async with waiting(system) as arrivals:
        began = time.monotonic()
        assert not await arrivals.wait({}, 0.3, asyncio.Event())
        assert time.monotonic() - began >= 0.3


async def test_a_refused_read_is_a_pause_and_no_busy_loop(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refused(*_: object) -> None:
        raise RedisDown

    monkeypatch.setattr(system.state.redis, "wait_for", refused)
    async with waiting(system) as arrivals:
        began = time.monotonic()
        async with asyncio.timeout(10):
            assert await arrivals.wait(await ends(system), 20, asyncio.Event())
        assert time.monotonic() - began >= 0.2


@pytest.mark.prove
@pytest.mark.timeout(240)
async def test_two_workers_and_an_api_at_rest_send_less_than_50_commands_a_second(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, defaults = tmp_path_factory.mktemp("stores"), Settings.model_fields
    names = ("partitions", "partition_lease_seconds", "pending_seconds", "journal_tail_seconds")
    settings = {name: defaults[name].default for name in names}
    with (
        Postgres(folder / "postgres", durable=False) as postgres,
        Valkey(folder / "valkey") as valkey,
        deployed(tmp_path, postgres.url, valkey.url, **settings) as deployment,
    ):
        deployment.migrate()
        deployment.start_api()
        workers = [deployment.start_worker() for _ in range(2)]
        await deployment.ready()
        await deployment.workers_started(*workers)
        await asyncio.sleep(2 * settings["partition_lease_seconds"])

        before, began = commands(valkey), time.monotonic()
        await asyncio.sleep(COUNTED_SECONDS)
        counted, seconds = {name: count - before.get(name, 0) for name, count in commands(valkey).items()}, 0.0
        seconds = time.monotonic() - began

    assert settings["partitions"] == 64
    assert sum(counted.values()) / seconds <= 50, counted


def commands(valkey: Valkey) -> dict[str, int]:
    """Returns how often a server has executed each command, also in scripts."""
    return {name: about["calls"] for name, about in valkey.command("INFO", "commandstats").items()}
