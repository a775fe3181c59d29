"""Whether this process can be of use."""

import asyncio
from collections.abc import Awaitable

from checks.findings import Severity
from checks.postgres import tables
from state import State


async def unready(state: State) -> list[str]:
    """What keeps the process from serving, in words; empty when nothing does.

    A store that is away for everybody does not: what the other one knows is served. Redis is, once writes are direct;
    until then it may be this process alone that does not reach it, and from then on Postgres is all there is.
    """
    redis, postgres = await asyncio.gather(_problem(_redis(state)), _problem(_postgres(state)))
    elsewhere = not redis and not state.modes.current.direct  # what Postgres has may be in Redis
    if postgres and elsewhere and state.modes.has_looked and not state.postgres.is_up:
        postgres = None
    return [problem for problem in (redis, postgres) if problem]


async def _problem(check: Awaitable[str | None]) -> str | None:
    try:
        async with asyncio.timeout(2):
            return await check
    except Exception as error:  # noqa: BLE001 - whatever it is, it is why we are not ready
        return f"{type(error).__name__}: {error}"


async def _redis(state: State) -> None:
    if not state.modes.current.direct:
        await state.journals.check_servers()


async def _postgres(state: State) -> str | None:
    wrong = [finding for finding in await tables(state.settings, state.postgres) if finding.level is not Severity.OK]
    return wrong[0].told if wrong else None
