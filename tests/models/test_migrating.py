"""Migrations of existing rows, and the order of all migrations."""

import asyncio
from typing import Any

from alembic import command
from alembic.script import ScriptDirectory
from pydantic import SecretStr
from sqlalchemy import text

from models import migrations
from models.async_engines import async_engine_at
from models.revisions import revisions
from settings import Settings

NOW = 1_790_000_000_000
HALF_DAY = 43_200_000
LIKE, COMMENT, MENTION, MODERATION = 1, 3, 5, 6
AHEAD = 2 * NOW
INSERT = """INSERT INTO notifications
    (user_id, notification_id, kind, business_id, entity_id, created_ms, moment, actors, actor_count)
    VALUES (1, {}, {}, 1, 1, {}, {}, ARRAY[]::bigint[], {})"""
USER = """INSERT INTO users (user_id, handle, display_name, bio, is_private, suspended)
    VALUES ({0}, 'user{0}', '', '', {1})"""

INDEXES = """SELECT indexrelid::regclass::text AS name, indnatts, indisvalid FROM pg_index
    WHERE indrelid = 'traces'::regclass ORDER BY 1"""
NOW_MS = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
UPDATED = f"SELECT updated_ms, created_ms, {NOW_MS} FROM notifications ORDER BY notification_id"  # noqa: S608 - constant


async def test_migrated_notifications_have_a_plausible_time_that_is_never_in_the_future(old_url: str) -> None:
    noon = NOW // HALF_DAY * HALF_DAY
    rows = [
        (LIKE, noon + 5, noon + 5, 1, noon + 5),
        (LIKE, noon + 5, AHEAD, 1, noon + 5),
        (LIKE, noon + 5, noon + 99, 2, noon + 99),
        (LIKE, noon + 5, AHEAD, 2, noon + HALF_DAY - 1),
        (COMMENT, noon + 5, AHEAD, 1, noon + HALF_DAY - 1),
        (MENTION, noon + 5, AHEAD, 1, noon + 5),
        (MODERATION, noon + 5, AHEAD, 0, noon + 5),
    ]
    engine = async_engine_at(old_url)
    async with engine.begin() as connection:
        for id_, (kind, created, moment, count, _) in enumerate(rows):
            await connection.execute(text(INSERT.format(id_, kind, created, moment << 10, count)))
        await connection.execute(text(INSERT.format(len(rows), LIKE, NOW_MS, AHEAD << 10, 2)))

    await asyncio.to_thread(command.upgrade, migrations.config(old_url), "0010")

    async with engine.connect() as connection:
        found = await connection.execute(text(UPDATED))
        *updated, (newest, created, now) = [tuple(row) for row in found]
    await engine.dispose()
    assert [at for at, _, _ in updated] == [row[-1] for row in rows]
    assert created <= newest <= now, "nothing is dated in the future"


async def test_a_migration_that_builds_indexes_concurrently_can_be_repeated(old_url: str) -> None:
    await asyncio.to_thread(command.upgrade, migrations.config(old_url), "0023")
    engine = async_engine_at(old_url)
    async with engine.begin() as connection:  # what a migration leaves that fails during the first index
        await connection.execute(text("ALTER TABLE traces ADD network text, ADD device text"))
        await connection.execute(text("CREATE INDEX traces_network_idx ON traces (network)"))

    await asyncio.to_thread(command.upgrade, migrations.config(old_url), "0025")

    async with engine.connect() as connection:
        found = await connection.execute(text(INDEXES))
        assert [tuple(row) for row in found] == [
            ("traces_device_idx", 2, True),
            ("traces_network_idx", 2, True),
            ("traces_old_idx", 1, True),
            ("traces_pkey", 3, True),
            ("traces_recent_idx", 2, True),
        ]
    await engine.dispose()


async def test_accounts_that_are_private_or_hidden_are_recounted(old_url: str) -> None:
    await asyncio.to_thread(command.upgrade, migrations.config(old_url), "0044")
    engine = async_engine_at(old_url)
    async with engine.begin() as connection:
        for id_, values in enumerate(["false, NULL", "false, 1", "false, 2", "false, 3", "true, NULL", "true, 1"]):
            await connection.execute(text(USER.format(id_, values)))
        await connection.execute(text("INSERT INTO topic_posts (topic_id, post_id, moment, score) VALUES (1, 2, 3, 4)"))
        await connection.execute(
            text(
                "INSERT INTO outboxes (author_id, post_id, moment, state, pushed) SELECT n, n, 1, 1, true"
                " FROM generate_series(0, 4) n"
            )
        )

    await asyncio.to_thread(command.upgrade, migrations.config(old_url), "0045")

    async with engine.connect() as connection:
        found = await connection.execute(text("SELECT author_id, reached FROM topic_recounts ORDER BY author_id"))
        assert [tuple(row) for row in found] == [(2, 0), (3, 0), (4, 0)]  # 5 has no posts
        assert await connection.scalar(text("SELECT counted FROM topic_posts"))
    await asyncio.to_thread(command.downgrade, migrations.config(old_url), "0044")
    await asyncio.to_thread(command.upgrade, migrations.config(old_url), "head")
    await engine.dispose()


async def test_a_migration_reports_what_runs_and_how_many_are_done(old_url: str) -> None:
    settings, reports = Settings(database_url=old_url, jwt_secret=SecretStr("s" * 32)), list[tuple[int, int, str]]()

    def report(*what: Any) -> None:
        reports.append(what)

    await asyncio.to_thread(migrations.upgrade, settings, report)
    newer = [id_ for id_ in reversed(revisions()) if id_ > "0009"]
    assert reports == [(done, len(newer), id_) for done, id_ in enumerate([*newer, ""])]

    reports.clear()
    await asyncio.to_thread(migrations.upgrade, settings, report)
    assert reports == [(0, 0, "")]


def test_the_revisions_by_the_names_of_the_files_are_those_that_alembic_runs() -> None:
    scripts = ScriptDirectory.from_config(migrations.config("")).walk_revisions()

    assert revisions() == [script.revision for script in scripts]
