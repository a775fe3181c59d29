"""Runs each migration in its own transaction, with asyncpg, the driver that the application uses."""

import asyncio

from alembic import context
from sqlalchemy import Connection, pool

from models import METADATA
from models.async_engines import async_engine_at


def _run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=METADATA, transaction_per_migration=True)
    with context.begin_transaction():
        context.run_migrations()


async def _online() -> None:
    engine = async_engine_at(context.config.attributes["url"], poolclass=pool.NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(_run)
    await engine.dispose()


asyncio.run(_online())
