"""A database that answers reads and refuses writes, as after a failover to a standby, or while it restores."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy import text

from models.database.async_engines import async_engine_at
from tests.support.system import System


@asynccontextmanager
async def only_reading(system: System) -> AsyncIterator[None]:
    """Ends all sessions. New ones can only read."""
    await alter_database(system, "SET default_transaction_read_only = on")
    try:
        yield
    finally:
        await alter_database(system, "RESET default_transaction_read_only")


async def alter_database(system: System, change: str) -> None:
    engine = async_engine_at(system.settings.database_url, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text("SET default_transaction_read_only = off"))
        await connection.execute(text("SET citus.enable_ddl_propagation = off"))  # changes only the coordinator
        await connection.execute(text(f"ALTER DATABASE plaudit {change}"))
        await connection.execute(
            text(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()"
            )
        )
    await engine.dispose()
