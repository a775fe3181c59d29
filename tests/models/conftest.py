"""Fixtures: a database without tables."""

from collections.abc import AsyncIterator

import pytest_asyncio
from sqlalchemy import text

from models.database.async_engines import async_engine_at
from runner import pgdata
from runner.postgres import Postgres


@pytest_asyncio.fixture
async def empty_url(postgres: Postgres) -> AsyncIterator[str]:
    """Returns the URL of a database without tables."""
    engine = async_engine_at(postgres.url_of("postgres", pgdata.ADMIN), isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f"CREATE DATABASE empty OWNER {pgdata.USER}"))
        yield postgres.url_of("empty")
        await connection.execute(text("DROP DATABASE empty WITH (FORCE)"))
    await engine.dispose()
