"""Tables of the same shape as Plaudit's, in a schema of their own: what the baselines write to."""

from collections.abc import Sequence

import asyncpg

from settings import Settings


async def make(settings: Settings, schema: str, tables: Sequence[str]) -> None:
    """Makes the tables with every column, default, key and index of their models."""
    connection = await asyncpg.connect(settings.database_url)
    await connection.execute(f"CREATE SCHEMA {schema}")
    for table in tables:
        await connection.execute(f"CREATE TABLE {schema}.{table} (LIKE public.{table} INCLUDING ALL)")
    await connection.close()
