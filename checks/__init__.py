"""Checks servers and settings for problems that could lose changes that clients believe to be stored. `plaudit check`
prints the findings.

In production, API processes and workers run the checks before they start. They do not start if a finding says that data
would be lost or unauthorized access allowed. A store that is down is a finding, too, but does not prevent the start.
"""

import asyncio
from collections.abc import Awaitable, Callable

from checks import journals, messages, postgres, redis, sites, uploads
from checks import settings as of_settings
from checks.findings import Finding, Misconfigured, Severity
from domain.ids import wall_clock_ms
from observability.logs import Log
from settings import Settings
from store.postgres import client as database
from store.redis.client import connect_both

log = Log(__name__)

__all__ = ["Finding", "Misconfigured", "Severity", "findings", "refuse_unsafe_start"]

_TIMEOUT = 5.0
"""The most seconds that the checks of one store may take."""


async def findings(settings: Settings, now_ms: Callable[[], int] = wall_clock_ms) -> list[Finding]:
    """Runs all checks, with connections of their own. Returns all findings, good and bad. A finding that the operator
    has accepted (`PLAUDIT_ACCEPTED_FINDINGS`) has the severity OK. A store that does not answer is a finding, not an
    exception.
    """
    rows, (state, cache) = database.connect(settings, "check"), connect_both(settings)
    try:
        about_stores = await asyncio.gather(
            _with_timeout("postgres", postgres.findings(settings, rows, now_ms)),
            _with_timeout("state", redis.of_state(state, settings, now_ms)),
            _with_timeout("journals", journals.findings(state, rows, now_ms)),
            _with_timeout("cache", redis.of_cache(cache, settings, now_ms, shared=cache is state)),
            _with_timeout("site", sites.findings(settings, rows, state, cache, now_ms)),
            _with_timeout("uploads", uploads.findings(settings, now_ms)),
        )
    finally:
        await asyncio.gather(rows.close(), *[server.close() for server in {state, cache}])
    found = [
        *of_settings.findings(settings),
        *messages.findings(settings),
        *(finding for some in about_stores for finding in some),
    ]
    return [finding.accepted() if finding.name in settings.accepted_findings else finding for finding in found]


async def refuse_unsafe_start(settings: Settings) -> None:
    """Runs all checks in production. Raises Misconfigured if data would be lost or unauthorized access allowed; logs
    other problems.

    API processes and workers call this function before they start.
    """
    if settings.env != "production":
        return
    found = await findings(settings)
    for finding in found:
        if finding.level in (Severity.WARNING, Severity.ERROR):
            log.warning("a check failed", name=finding.name, message=finding.message)
    if refused := [f"{finding.name}: {finding.message}" for finding in found if finding.level is Severity.REFUSED]:
        raise Misconfigured("\n".join(refused))


async def _with_timeout(store: str, asked: Awaitable[list[Finding]]) -> list[Finding]:
    try:
        async with asyncio.timeout(_TIMEOUT):
            return await asked
    except Exception as error:  # noqa: BLE001 - a failed check must not prevent the start
        cause = error.__cause__ or error
        return [Finding(f"{store}.answers", Severity.ERROR, f"no answer: {type(cause).__name__}: {cause}")]
