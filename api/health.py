"""Readiness: whether this process can serve requests."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from importlib.metadata import version
from typing import Any

from sqlalchemy.exc import DBAPIError

from checks.findings import Severity
from checks.postgres import tables
from domain.errors import Unavailable
from models.database.revisions import newest_revision
from state import State
from store import promotion
from store.cache import log
from store.redis.client import RedisDown
from store.site import is_drained
from store.write_log import write_mode


async def drained(state: State) -> bool:
    """Returns whether an operator has drained this site, one of two. Returns False if the cache Redis is down."""
    try:
        return state.settings.connections.other_site is not None and await is_drained(state.cache.redis)
    except RedisDown:
        return False


async def unready(state: State) -> list[str]:
    """Returns the reasons why the process cannot serve requests; an empty list if it can.

    A store that is down for all processes is not a reason: requests are then answered from the other store. Redis
    counts as down for all processes once writes go directly to Postgres. Before that, perhaps only this process cannot
    reach Redis. A site that has released the writes is not ready, so that load balancers send requests to the other
    site: this one cannot know users who are new there.
    """
    if state.write_mode.current.is_released and not state.write_mode.only_reads:
        return [write_mode.RELEASED]
    redis, postgres = await asyncio.gather(_failure(_redis_problem(state)), _failure(_postgres_problem(state)))
    redis_serves = not redis and not state.write_mode.current.direct
    if postgres and redis_serves and state.write_mode.is_known and not state.postgres.is_up:
        postgres = None
    return [problem for problem in (redis, postgres) if problem]


async def site(state: State, caller: str | None, *, with_promotion: bool) -> dict[str, Any]:
    """Returns what this process says of its site to the other one (store/other_site.py). `caller` is the address from
    which the other site has asked. Includes what this site had when it was promoted, if `with_promotion` is true and
    Postgres answers within a second.
    """
    mode, settings = state.write_mode, state.settings
    found: dict[str, Any] = {
        "term": mode.current.term,
        "takesWrites": mode.takes_writes,
        "replayed": None,
        "version": version("plaudit"),
        "revision": newest_revision(),
        "cacheMode": settings.cache_mode or settings.redis_mode,
        "caller": caller,
    }
    with suppress(Unavailable, DBAPIError, TimeoutError):
        async with asyncio.timeout(1):
            if mode.only_reads:
                found["replayed"] = await log.replayed(state.postgres)
            if with_promotion:
                ends, snapshot = await promotion.promoted(state.postgres)
                found["promotion"] = {"ends": ends, "snapshot": snapshot}
    return {**found, "nowMs": state.now_ms()}


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
