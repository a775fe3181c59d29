"""Rows that the database refuses, and the dead letters that result."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from sqlalchemy import text

from tests.support.system import System


@asynccontextmanager
async def refusing(system: System, table: str, unless: str) -> AsyncIterator[None]:
    """Adds a constraint to a table while the block runs. New rows must meet `unless`."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text(f"ALTER TABLE {table} ADD CONSTRAINT refuses CHECK ({unless}) NOT VALID"))
    try:
        yield
    finally:
        async with system.state.postgres.transaction() as transaction:
            await transaction.execute(text(f"ALTER TABLE {table} DROP CONSTRAINT refuses"))


def refusing_radio(system: System) -> AbstractAsyncContextManager[None]:
    """Refuses likes whose source is the radio while the block runs."""
    return refusing(system, "like_log", "source <> 'radio'")


async def letters(system: System) -> list[tuple[Any, ...]]:
    """Returns partition and version of every dead letter."""
    return await system.rows("SELECT p, version FROM dead_letters ORDER BY p, version")
