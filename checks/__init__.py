"""Whether servers and settings are such that nothing acknowledged is lost: what `plaudit check` prints, and what
production looks at before it starts.

Enters: settings. Leaves: findings. A store that does not answer, and a server that does not tell, are findings too: an
API starts without its stores, and refuses only what somebody's answer says it would lose.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from checks import postgres, redis
from checks import settings as of_settings
from checks.findings import Finding, Severity
from domain.ids import wall_clock_ms
from settings import Settings
from store.postgres import client as database
from store.redis.client import connect_both

log = structlog.get_logger(__name__)

__all__ = ["Finding", "Misconfigured", "Severity", "findings", "refuse"]

_PATIENCE = 5.0
"""Seconds for all answers of one store."""


class Misconfigured(Exception):
    """Servers or settings that would lose data, or let strangers in."""


async def findings(settings: Settings, now_ms: Callable[[], int] = wall_clock_ms) -> list[Finding]:
    """Everything there is to say, good and bad, by connections of its own. Raises nothing."""
    rows, (state, cache) = database.connect(settings, "check"), connect_both(settings)
    try:
        about_stores = await asyncio.gather(
            _answered("postgres", postgres.findings(settings, rows, now_ms)),
            _answered("state", redis.of_state(state, settings, now_ms)),
            _answered("cache", redis.of_cache(cache, settings, now_ms, shared=cache is state)),
        )
    finally:
        await asyncio.gather(rows.close(), *[server.close() for server in {state, cache}])
    found = [*of_settings.findings(settings), *(finding for some in about_stores for finding in some)]
    return [finding.accepted() if finding.name in settings.accepted_findings else finding for finding in found]


async def refuse(settings: Settings) -> None:
    """What those look at that acknowledge and persist, before they do. Raises Misconfigured where production would lose
    something; what is not as it should be otherwise, they log.
    """
    if settings.env != "production":
        return
    found = await findings(settings)
    for finding in found:
        if finding.level in (Severity.WARNING, Severity.ERROR):
            log.warning("a check failed", name=finding.name, told=finding.told)
    if refused := [f"{finding.name}: {finding.told}" for finding in found if finding.level is Severity.REFUSED]:
        raise Misconfigured("\n".join(refused))


async def _answered(store: str, asked: Awaitable[list[Finding]]) -> list[Finding]:
    try:
        async with asyncio.timeout(_PATIENCE):
            return await asked
    except Exception as error:  # noqa: BLE001 - whatever it was, nothing was learned, and nobody must be kept from starting
        cause = error.__cause__ or error
        return [Finding(f"{store}.answers", Severity.ERROR, f"no answer: {type(cause).__name__}: {cause}")]
