"""The migration that partitions the logs keeps all rows and does not copy them."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import asyncpg
import pytest
import pytest_asyncio
from alembic import command
from sqlalchemy.exc import DBAPIError

from models import migrations
from runner import pgdata
from runner.postgres import Postgres

LOGS = "like_log", "follow_log"
LINE = """INSERT INTO like_log (user_id, version, business_id, entity_id, verb) VALUES ($1, $2, 1, 1, 'like')
          ON CONFLICT (user_id, version) DO NOTHING"""
FILL = """
    INSERT INTO like_log (user_id, version, business_id, entity_id, verb)
    SELECT n % 100, (1790000000000 + n) << 20, 1, n, 'like' FROM generate_series(1, 20000) AS n;
    INSERT INTO follow_log (user_id, version, business_id, followee_id, follows)
    SELECT n % 100, (1790000000000 + n) << 20, 1, n, true FROM generate_series(1, 20000) AS n;
"""
LINES = "SELECT * FROM {} ORDER BY version, user_id"
CHECKS = "SELECT count(*) FROM pg_constraint WHERE conrelid = '{}_first'::regclass AND contype = 'c'"
ENDS = """
    SELECT extract(isodow FROM ends), ends = date_trunc('day', ends), ends - now() FROM pg_class,
    CAST(substring(pg_get_expr(relpartbound, oid) FROM $$TO \\('(\\d+)$$) AS bigint) AS bound,
    to_timestamp((bound >> 20) / 1000) AS ends WHERE oid = '{}_first'::regclass
"""
INDEXES = """SELECT i.indexrelid::regclass::text, p.inhparent::regclass::text FROM pg_index i
             LEFT JOIN pg_inherits p ON p.inhrelid = i.indexrelid
             WHERE i.indrelid = '{}_first'::regclass ORDER BY 1"""


@pytest_asyncio.fixture
async def unpartitioned(old_url: str) -> AsyncIterator[asyncpg.Connection]:
    """Returns a connection to a database before the migration, with lines in both logs."""
    await migrate(old_url, "0042")
    connection = await asyncpg.connect(old_url)
    await connection.execute(FILL)
    yield connection
    await connection.close()


async def migrate(url: str, revision: str) -> None:
    await asyncio.to_thread(command.upgrade, migrations.config(url), revision)


async def rows(connection: asyncpg.Connection, query: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await connection.fetch(query)]


async def test_lines_stay_in_their_files_while_others_are_written(
    old_url: str, unpartitioned: asyncpg.Connection
) -> None:
    before = [await rows(unpartitioned, LINES.format(log)) for log in LOGS]
    files = [await unpartitioned.fetchval(f"SELECT pg_relation_filenode('{log}')") for log in LOGS]
    written, migrated = 0, asyncio.Event()

    async def write(user_id: int) -> None:
        nonlocal written
        connection = await asyncpg.connect(old_url)
        while not migrated.is_set():
            now = await connection.fetchval("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint << 20")
            await connection.execute(LINE, user_id, now + written)
            written += 1
        await connection.close()

    writers = [asyncio.create_task(write(user_id)) for user_id in (1001, 1002)]
    while not written:
        await asyncio.sleep(0.01)
    await migrate(old_url, "0043")
    migrated.set()
    await asyncio.gather(*writers)

    assert await rows(unpartitioned, "SELECT count(*) FROM like_log WHERE user_id > 1000") == [(written,)]
    assert await rows(unpartitioned, "SELECT count(*) FROM like_log_default") == [(0,)]
    await unpartitioned.execute("DELETE FROM like_log WHERE user_id > 1000")
    assert [await rows(unpartitioned, LINES.format(log)) for log in LOGS] == before
    assert [await unpartitioned.fetchval(f"SELECT pg_relation_filenode('{log}_first')") for log in LOGS] == files
    for log in LOGS:
        assert await rows(unpartitioned, INDEXES.format(log)) == [
            (f"{log}_first_pkey", f"{log}_pkey"),
            (f"{log}_first_version_idx", f"{log}_version_idx"),
        ]
        assert await rows(unpartitioned, CHECKS.format(log)) == [(0,)]


async def test_the_first_partition_ends_on_a_monday_in_more_than_a_month(
    old_url: str, unpartitioned: asyncpg.Connection
) -> None:
    await migrate(old_url, "0043")

    for log in LOGS:
        ((weekday, is_midnight, ahead),) = await rows(unpartitioned, ENDS.format(log))
        assert (weekday, is_midnight) == (1, True)
        assert 35 <= ahead.days < 43


async def test_a_migration_that_failed_changes_nothing_and_can_be_repeated(
    old_url: str, unpartitioned: asyncpg.Connection
) -> None:
    """A reader who does not end stops the migration. A run before has left its constraint, which has a past bound."""
    past = "ALTER TABLE {0} ADD CONSTRAINT {0}_until CHECK (version < {1}) NOT VALID"
    await unpartitioned.execute(past.format("like_log", 2**60 - 1))
    reader = await asyncpg.connect(old_url)
    reading = reader.transaction()
    await reading.start()
    await reader.fetchval("SELECT count(*) FROM follow_log")

    with pytest.raises(DBAPIError, match="lock timeout"):
        await migrate(old_url, "0043")

    assert await rows(unpartitioned, "SELECT version_num FROM alembic_version") == [("0042",)]
    await unpartitioned.execute(LINE, 1001, 1)
    await reading.rollback()
    await reader.close()
    await migrate(old_url, "0043")
    assert await rows(unpartitioned, "SELECT count(*) FROM like_log_first") == [(20001,)]
    assert await rows(unpartitioned, "SELECT count(*) FROM follow_log_first") == [(20000,)]


async def test_owners_and_privileges_stay(unpartitioned: asyncpg.Connection, postgres: Postgres) -> None:
    """The superuser migrates tables of another role, which has granted privileges."""
    await unpartitioned.execute("GRANT SELECT, INSERT ON like_log TO pg_monitor; GRANT SELECT ON follow_log TO PUBLIC")
    granted = "SELECT acl.* FROM pg_class, aclexplode(relacl) AS acl WHERE oid = '{}'::regclass ORDER BY 1, 2, 3"
    before = [await rows(unpartitioned, granted.format(log)) for log in LOGS]

    await migrate(postgres.url_of("old", pgdata.ADMIN), "0043")

    assert [await rows(unpartitioned, granted.format(log)) for log in LOGS] == before
    owners = "SELECT DISTINCT relowner::regrole::text FROM pg_class WHERE relname ~ '^(like|follow)_log'"
    assert await rows(unpartitioned, owners) == [(pgdata.USER,)]


async def test_a_downgrade_keeps_the_lines_of_all_partitions(old_url: str, unpartitioned: asyncpg.Connection) -> None:
    await migrate(old_url, "0043")
    await unpartitioned.execute("GRANT SELECT ON like_log TO pg_monitor")
    await unpartitioned.execute(LINE, 1001, 2**62)
    assert await rows(unpartitioned, "SELECT user_id FROM like_log_default") == [(1001,)]

    await asyncio.to_thread(command.downgrade, migrations.config(old_url), "0042")

    assert await rows(unpartitioned, "SELECT count(*), max(user_id) FROM like_log") == [(20001, 1001)]
    names = "SELECT relname, relkind::text FROM pg_class WHERE relname ~ '^like_log' ORDER BY 1"
    assert await rows(unpartitioned, names) == [
        ("like_log", "r"),
        ("like_log_pkey", "i"),
        ("like_log_version_idx", "i"),
    ]
    owned = (
        "SELECT relowner::regrole::text, relacl::text LIKE '%pg_monitor=r%' FROM pg_class WHERE relname = 'like_log'"
    )
    assert await rows(unpartitioned, owned) == [(pgdata.USER, True)]


async def test_rows_whose_time_is_far_ahead_are_in_the_first_partition(
    old_url: str, unpartitioned: asyncpg.Connection
) -> None:
    """They were written while a clock was wrong."""
    far = int((datetime.now(UTC) + timedelta(weeks=60)).timestamp() * 1000) << 20
    await unpartitioned.execute(LINE, 1001, far)

    await migrate(old_url, "0043")

    assert await rows(unpartitioned, "SELECT count(*) FROM like_log_first") == [(20001,)]
    ((_, _, ahead),) = await rows(unpartitioned, ENDS.format("like_log"))
    assert ahead > timedelta(weeks=64)
