"""A database in which a table is missing, and the message that clients get."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text

from tests.support.system import System

MASKED = "Something went wrong here; it has been logged."


@asynccontextmanager
async def missing(system: System, table: str) -> AsyncIterator[None]:
    """A database somebody has broken: a table is not there while the block runs."""
    await rename(system, table, f"{table}_gone")
    try:
        yield
    finally:
        await rename(system, f"{table}_gone", table)


async def rename(system: System, table: str, to: str) -> None:
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text(f"ALTER TABLE {table} RENAME TO {to}"))
