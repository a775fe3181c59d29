"""`plaudit check` compares two sites."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from checks import Finding, Severity, sites
from domain.ids import wall_clock_ms
from settings import ConnectionSettings, Settings
from state import State
from store.write_log import write_mode
from tests.support.promotions import whole_sites
from tests.support.stores import standalone
from tests.support.system import System

pytestmark = [standalone, pytest.mark.prove, pytest.mark.timeout(500)]


async def found(state: State) -> dict[str, Finding]:
    """Returns the findings of a site about both sites."""
    some = await sites.findings(state.settings, state.postgres, state.redis, state.cache.redis, wall_clock_ms)
    return {finding.name: finding for finding in some}


async def until(state: State, wanted: dict[str, Severity]) -> None:
    """Returns when these findings, and no others, are bad. A busy machine may be behind for a while."""
    async with asyncio.timeout(60):
        while {name: one.level for name, one in (await found(state)).items() if one.level is not Severity.OK} != wanted:
            await asyncio.sleep(0.2)


async def test_two_sites_need_a_cache_redis_of_their_own(system: System) -> None:
    state = system.state
    connections = ConnectionSettings(other_site="http://127.0.0.1:9")
    settings = state.settings.model_copy(update={"connections": connections})
    some = await sites.findings(settings, state.postgres, state.redis, state.redis, wall_clock_ms)

    assert [one.level for one in some if one.name == "site.cache_url"] == [Severity.REFUSED]


async def test_both_sites_are_sound_until_the_networks_are_cut(
    tmp_path: Path, make_settings: Callable[..., Settings]
) -> None:
    async with whole_sites(tmp_path, make_settings) as both:
        for system in (both.first, both.second):
            await until(system.state, {})

        await write_mode.set_synchronous(both.first.state.postgres, 2)
        await until(both.first.state, {"site.synchronous": Severity.ERROR})
        await both.servers.to_redis.cut()
        await until(both.second.state, {"site.replication": Severity.ERROR})
        await both.cut()
        await until(both.second.state, {"site.replication": Severity.ERROR, "site.answers": Severity.ERROR})
