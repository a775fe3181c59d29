"""Whether servers and settings are such that nothing acknowledged is lost: what `plaudit check` prints, and what
production looks at before it starts.

Enters: settings and the stores' clients. Leaves: findings. A store that does not answer, and a server that does not
tell, are findings too: an API starts without its stores, and refuses only what somebody's answer says it would lose.
"""

import asyncio
from collections.abc import Awaitable, Callable

from checks import postgres, redis
from checks import settings as of_settings
from checks.findings import Finding, Level
from settings import Settings
from store.postgres import Postgres
from store.redis import Redis

__all__ = ["Finding", "Level", "findings"]

_PATIENCE = 5.0
"""Seconds for all answers of one store."""


async def findings(
    settings: Settings, database: Postgres, state: Redis, cache: Redis, now_ms: Callable[[], int]
) -> list[Finding]:
    """Everything there is to say, good and bad. Raises nothing."""
    about_stores = await asyncio.gather(
        _answered("postgres", postgres.findings(settings, database, now_ms)),
        _answered("state", redis.of_state(state, now_ms)),
        _answered("cache", redis.of_cache(cache, settings, now_ms, shared=cache is state)),
    )
    found = [*of_settings.findings(settings), *(finding for some in about_stores for finding in some)]
    return [finding.accepted() if finding.name in settings.accepted else finding for finding in found]


async def _answered(store: str, asked: Awaitable[list[Finding]]) -> list[Finding]:
    try:
        return await asyncio.wait_for(asked, _PATIENCE)
    except Exception as error:  # noqa: BLE001 - whatever it was, nothing was learned, and nobody must be kept from starting
        cause = error.__cause__ or error
        return [Finding(f"{store}.answers", Level.ERROR, f"no answer: {type(cause).__name__}: {cause}")]
