"""Statements that get a plan of their own count as reads, and change no session."""

import asyncio
from collections.abc import Callable

from sqlalchemy import text

from settings import Settings
from state import opened
from store.postgres.client import replanned
from tests.support.stores import standalone

_MODE = text("SELECT current_setting('plan_cache_mode')")
_RUNNING = text("""
    SELECT count(*), pg_sleep(0.2) FROM pg_stat_activity
    WHERE application_name = 'plaudit-replanned' AND state = 'active' AND query LIKE '%pg_sleep%' GROUP BY ()
""")
_CONNECTIONS = 5


@standalone
async def test_they_wait_for_their_turn_as_other_reads_do(make_settings: Callable[..., Settings]) -> None:
    async with opened(make_settings(database_connections=_CONNECTIONS), "replanned") as state:
        found = await asyncio.gather(*[state.postgres.read(replanned(_RUNNING)) for _ in range(12)])
    assert max(rows[0][0] for rows in found) == _CONNECTIONS - 2


@standalone
async def test_only_they_have_a_plan_of_their_own(make_settings: Callable[..., Settings]) -> None:
    async with opened(make_settings(database_connections=3), "replanned") as state:
        modes = [(await state.postgres.read(one))[0][0] for one in (_MODE, replanned(_MODE), _MODE)]
    assert modes == ["auto", "force_custom_plan", "auto"]
