"""Creates copies of Plaudit's tables in a separate schema, for code with which Plaudit is compared."""

from collections.abc import Sequence

import asyncpg

from settings import Settings


async def make(settings: Settings, schema: str, tables: Sequence[str]) -> None:
    """Creates empty copies of these tables in the schema `schema`, with all columns, defaults, keys and indexes, unless
    they exist.
    """
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
    for table in tables:
        await connection.execute(f"CREATE TABLE IF NOT EXISTS {schema}.{table} (LIKE public.{table} INCLUDING ALL)")
    await connection.close()
