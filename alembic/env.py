"""Runs each migration in its own transaction, with asyncpg, the driver that the application uses."""

import asyncio
from itertools import count

from alembic import context
from sqlalchemy import Connection, pool

from models import METADATA
from models.database.async_engines import async_engine_at
from models.database.revisions import revisions


def _run(connection: Connection) -> None:
    report, ids, numbers = context.config.attributes["report"], list[str](), count()

    def tell(*_: object, **__: object) -> None:  # Alembic calls it after each migration
        done = next(numbers)
        running = ids[done] if done < len(ids) else ""
        report(done, len(ids), running)

    context.configure(
        connection=connection, target_metadata=METADATA, transaction_per_migration=True, on_version_apply=tell
    )
    current = context.get_context().get_current_revision() or ""
    connection.rollback()  # reading has begun a transaction
    ids += sorted(id_ for id_ in revisions() if id_ > current)
    tell()
    with context.begin_transaction():
        context.run_migrations()


async def _online() -> None:
    engine = async_engine_at(context.config.attributes["url"], poolclass=pool.NullPool)
    async with engine.connect() as connection:
        await connection.run_sync(_run)
    await engine.dispose()


asyncio.run(_online())
