"""A database in which a table is missing, and the message that clients then receive."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text

from tests.support.system import System

MASKED = "An internal error occurred. It has been logged."


@asynccontextmanager
async def missing(system: System, table: str) -> AsyncIterator[None]:
    """Renames a table while the block runs, so that every statement that uses it fails."""
    await rename(system, table, f"{table}_gone")
    try:
        yield
    finally:
        await rename(system, f"{table}_gone", table)


async def rename(system: System, table: str, to: str) -> None:
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text(f"ALTER TABLE {table} RENAME TO {to}"))
