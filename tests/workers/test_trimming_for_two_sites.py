"""If there are two sites, journals keep the entries whose rows the other site lacks."""

import time
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio
from sqlalchemy import text

from api.health import unready
from domain.errors import Unavailable
from settings import ConnectionSettings, Settings
from state import opened
from store import promotion
from store.other_site import SiteReport
from store.write_log import write_mode
from tests.support.fallback_mode import worker_apart
from tests.support.stores import standalone
from tests.support.system import System, running
from workers.worker import Worker

pytestmark = standalone
NOWHERE = ConnectionSettings(other_site="http://127.0.0.1:9")


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    async with running(make_settings(connections=NOWHERE, journal_max_entries=4)) as one:
        yield one


async def kept(system: System) -> int:
    return sum(await system.state.journals.lengths(range(system.settings.partitions)))


async def trim(worker: Worker) -> None:
    await worker.sweeper.sweep(time.monotonic() + worker.state.settings.pending_seconds)
    await worker.sweeper.trim([*worker.owned.values()])


def report(worker: Worker, replayed: int) -> None:
    """Lets the other site have said how far its standby is."""
    assert worker.state.other_site
    worker.state.other_site.last = SiteReport(True, 0, False, replayed, "", "", "standalone", 0.0, 0.0, True)


async def test_an_entry_stays_until_the_other_site_has_its_rows(system: System) -> None:
    (video,) = await system.videos("v1")
    await system.person("alice").like(video)
    async with worker_apart(system) as worker:
        await worker.step()

        await trim(worker)
        assert await kept(system) == 1
        report(worker, 1)
        await trim(worker)
        assert await kept(system) == 1
        report(worker, 1 << 62)
        await trim(worker)
        assert await kept(system) == 0


async def test_a_journal_that_is_half_full_is_trimmed_unless_the_mode_is_synchronous(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = system.person("alice")
    for verb in ("like", "unlike", "like"):
        await alice.react(verb, video)
    async with worker_apart(system) as worker:
        await worker.step()
        await write_mode.set_synchronous(worker.state.postgres, 1)
        await worker.state.write_mode.refresh()

        await trim(worker)
        assert await kept(system) == 3
        await write_mode.set_synchronous(worker.state.postgres, 0)
        await worker.state.write_mode.refresh()
        await trim(worker)
        assert await kept(system) == 0


async def test_a_site_that_has_released_the_writes_refuses_them_until_it_takes_them_back(system: System) -> None:
    alice, state = system.person("alice"), system.state
    await alice.id()
    async with opened(system.settings, "site", makes_ids=False, obeys_term=False) as command:
        assert await write_mode.release(command.postgres)
        assert not await write_mode.release(command.postgres)
        with pytest.raises(Unavailable):
            await write_mode.set_synchronous(state.postgres, 1)
        async with opened(system.settings, "words", makes_ids=False) as another:
            with pytest.raises(Unavailable):
                await write_mode.set_synchronous(another.postgres, 1)
        await state.write_mode.refresh()
        with pytest.raises(Unavailable):
            await state.write_mode.writes_directly()
        seen = [state.write_mode.takes_writes, await unready(state)]

        assert await write_mode.take_back(command.postgres)
        await state.write_mode.refresh()
        assert seen == [False, [write_mode.RELEASED]]
        assert state.write_mode.takes_writes
        await write_mode.set_synchronous(state.postgres, 0)


async def test_in_synchronous_mode_a_commit_needs_a_standby(system: System) -> None:
    async with opened(system.settings, "site", makes_ids=False, obeys_term=False) as command:
        await write_mode.set_synchronous(command.postgres, 1)
        with pytest.raises(Unavailable, match="synchronous_standby_names"):
            await write_mode.take_back(system.state.postgres)
        await write_mode.set_synchronous(command.postgres, 0)
    assert not await write_mode.take_back(system.state.postgres)


async def test_after_a_promotion_writes_wait_for_a_worker_and_become_direct_after_half_a_minute(system: System) -> None:
    state = system.state
    promoted = promotion.Had(dict.fromkeys(range(state.keys.partitions), 0), "1:1:", None)
    await promotion.begin_term(state.postgres, promoted)

    for seconds, is_direct in ((0, False), (10, False), (40, True)):
        since = text("UPDATE modes SET since = clock_timestamp() - make_interval(secs => :seconds)")
        await state.postgres.write(since, seconds=seconds)
        await state.write_mode.refresh()
        if is_direct:
            assert await state.write_mode.writes_directly()
        else:
            with pytest.raises(Unavailable):
                await state.write_mode.writes_directly()
