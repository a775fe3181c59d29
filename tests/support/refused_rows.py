"""What the database refuses, until it is told otherwise, and the letters that are left of it."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from sqlalchemy import text

from tests.support.system import System


@asynccontextmanager
async def refusing(system: System, table: str, unless: str) -> AsyncIterator[None]:
    """The database refuses new rows of a table unless a condition holds: a cause that can be put right."""
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text(f"ALTER TABLE {table} ADD CONSTRAINT refuses CHECK ({unless}) NOT VALID"))
    try:
        yield
    finally:
        async with system.state.postgres.transaction() as transaction:
            await transaction.execute(text(f"ALTER TABLE {table} DROP CONSTRAINT refuses"))


def refusing_radio(system: System) -> AbstractAsyncContextManager[None]:
    """It refuses likes whose source is the radio."""
    return refusing(system, "like_log", "source <> 'radio'")


async def letters(system: System) -> list[tuple[Any, ...]]:
    """The partition and version of every dead letter."""
    return await system.rows("SELECT p, version FROM dead_letters ORDER BY p, version")
