"""Fixtures: a database at an old revision."""

import asyncio
from collections.abc import AsyncIterator

import pytest_asyncio
from alembic import command
from sqlalchemy import text

from models import migrations
from models.async_engines import async_engine_at
from runner import pgdata
from runner.postgres import Postgres


@pytest_asyncio.fixture
async def old_url(postgres: Postgres) -> AsyncIterator[str]:
    """Returns the URL of an empty database at revision 0009."""
    administration, url = postgres.url_of("postgres", pgdata.ADMIN), postgres.url_of("old")
    engine = async_engine_at(administration, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f"CREATE DATABASE old OWNER {pgdata.USER}"))
        await asyncio.to_thread(command.upgrade, migrations.config(url), "0009")
        yield url
        await connection.execute(text("DROP DATABASE old WITH (FORCE)"))
    await engine.dispose()
