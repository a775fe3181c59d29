"""`plaudit site drain` and `undrain` change whether `/readyz` sends clients to a site."""

import asyncio
from collections.abc import Callable

import pytest
from typer.testing import Result

from store.site import is_drained
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
