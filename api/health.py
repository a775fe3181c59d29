"""Readiness: whether this process can serve requests."""

import asyncio
from collections.abc import Awaitable

from checks.findings import Severity
from checks.postgres import tables
from state import State
from store import site
from store.redis.client import RedisDown


async def drained(state: State) -> bool:
    """Returns whether an operator has drained this site, one of two. Returns False if the cache Redis is down."""
    try:
        return state.settings.connections.other_site is not None and await site.is_drained(state.cache.redis)
    except RedisDown:
        return False


async def unready(state: State) -> list[str]:
    """Returns the reasons why the process cannot serve requests; an empty list if it can.

    A store that is down for all processes is not a reason: requests are then answered from the other store. Redis
    counts as down for all processes once writes go directly to Postgres. Before that, perhaps only this process cannot
    reach Redis.
    """
    redis, postgres = await asyncio.gather(_failure(_redis_problem(state)), _failure(_postgres_problem(state)))
    redis_serves = not redis and not state.write_mode.current.direct
    if postgres and redis_serves and state.write_mode.is_known and not state.postgres.is_up:
        postgres = None
    return [problem for problem in (redis, postgres) if problem]


async def _failure(check: Awaitable[str | None]) -> str | None:
    try:
        async with asyncio.timeout(2):
            return await check
    except Exception as error:  # noqa: BLE001 - any failure means that the process is not ready
        return f"{type(error).__name__}: {error}"


async def _redis_problem(state: State) -> None:
    if not state.write_mode.current.direct:
        await state.journals.check_servers()


async def _postgres_problem(state: State) -> str | None:
    found = await tables(state.settings, state.postgres)
    return next((one.message for one in found if one.level in (Severity.ERROR, Severity.REFUSED)), None)
