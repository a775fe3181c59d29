"""`plaudit site drain` and `undrain` change whether `/readyz` sends clients to a site. `asynchronous` ends the
synchronous mode.
"""

import asyncio
from collections.abc import Callable

import pytest
from typer.testing import Result

from store.site import is_drained
from store.write_log import write_mode
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])
TWO_SITES = '{"other_site": "http://127.0.0.1:9"}'


async def test_a_site_is_drained_until_it_is_undrained(system: System, plaudit: Callable[..., Result]) -> None:
    found = []
    for command in ("drain", "drain", "undrain", "undrain"):
        ended = await asyncio.to_thread(plaudit, "site", command, PLAUDIT_CONNECTIONS=TWO_SITES)
        assert ended.exit_code == 0, ended.output
        found.append(await is_drained(system.state.cache.redis))

    assert found == [True, True, False, False]


async def test_one_site_cannot_be_drained(system: System, plaudit: Callable[..., Result]) -> None:
    ended = await asyncio.to_thread(plaudit, "site", "drain")

    assert ended.exit_code == 1
    assert "There is one site" in ended.stderr
    assert not await is_drained(system.state.cache.redis)


async def test_synchronous_mode_ends_after_a_wait_if_the_other_site_may_believe_in_it(
    system: System, plaudit: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.site.TRUST_S", 1.0)
    await write_mode.set_synchronous(system.state.postgres, 1)
    ends = [await asyncio.to_thread(plaudit, "site", "asynchronous", PLAUDIT_CONNECTIONS=TWO_SITES) for _ in range(2)]

    assert [end.exit_code for end in ends] == [0, 0]
    assert ["Waiting for 1 seconds." in end.stderr for end in ends] == [True, False]
    assert (await write_mode.read(system.state.postgres)).replicas == 0
