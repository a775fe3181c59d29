"""Whether this process can be of use."""

import asyncio
from collections.abc import Awaitable

from sqlalchemy import text

from models.migrations import newest_revision
from state import State
from store.journal import installed_partitions

_REVISION = text("SELECT version_num FROM alembic_version")


async def unready(state: State) -> list[str]:
    """What keeps the process from serving, in words; empty when nothing does."""
    checks = (_redis(state), _postgres(state))
    answers = await asyncio.gather(*[_problem(check) for check in checks])
    return [problem for problem in answers if problem]


async def _problem(check: Awaitable[str | None]) -> str | None:
    try:
        return await asyncio.wait_for(check, timeout=2)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is why we are not ready
        return f"{type(error).__name__}: {error}"


async def _redis(state: State) -> None:
    await state.redis("EXISTS", state.keys.journal(0))  # a key, so that it works on a cluster too


async def _postgres(state: State) -> str | None:
    revisions = [row[0] for row in await state.postgres.read(_REVISION)]
    if revisions != [newest_revision()]:
        return f"the database is at revision {revisions}, this version needs {newest_revision()}: run plaudit migrate"
    partitions = await installed_partitions(state.postgres)
    if partitions != state.settings.partitions:
        return f"installed with {partitions} partitions, configured with {state.settings.partitions}"
    return None
