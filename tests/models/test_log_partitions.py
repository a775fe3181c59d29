"""The first partitions of the logs, in a new database."""

import asyncio

import asyncpg
import pytest
from alembic import command

from models.database import migrations

LOGS = "like_log", "follow_log"
END = """
    SELECT extract(isodow FROM ends) AS weekday, ends = date_trunc('day', ends) AS is_midnight, ends - now() AS ahead
    FROM pg_class, CAST(substring(pg_get_expr(relpartbound, oid) FROM $$TO \\('(\\d+)$$) AS bigint) AS bound,
         to_timestamp((bound >> 20) / 1000) AS ends WHERE oid = '{}_first'::regclass
"""
LINE = "INSERT INTO like_log (user_id, version, business_id, entity_id, verb) VALUES (1, $1, 1, 1, 'like')"


@pytest.mark.parametrize("log", LOGS)
async def test_the_first_partition_ends_on_a_monday_in_more_than_a_month(empty_url: str, log: str) -> None:
    await asyncio.to_thread(command.upgrade, migrations.config(empty_url), "0045")
    connection = await asyncpg.connect(empty_url)
    found = await connection.fetchrow(END.format(log))
    await connection.close()

    assert (found["weekday"], found["is_midnight"]) == (1, True)
    assert 35 <= found["ahead"].days < 43


async def test_lines_of_any_time_have_a_partition(empty_url: str) -> None:
    await asyncio.to_thread(command.upgrade, migrations.config(empty_url), "0045")
    connection = await asyncpg.connect(empty_url)
    for version in (0, 2**62):
        await connection.execute(LINE, version)
    found = await connection.fetch("SELECT tableoid::regclass::text FROM like_log ORDER BY version")
    await connection.close()

    assert [table for (table,) in found] == ["like_log_first", "like_log_default"]
