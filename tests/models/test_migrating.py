"""Migrating a database, and the order of all migrations."""

import asyncio
from typing import Any

from alembic.script import ScriptDirectory
from pydantic import SecretStr

from models.database import migrations
from models.database.revisions import revisions
from settings import Settings


async def test_a_migration_reports_what_runs_and_how_many_are_done(empty_url: str) -> None:
    settings, reports = Settings(database_url=empty_url, jwt_secret=SecretStr("s" * 32)), list[tuple[int, int, str]]()

    def report(*what: Any) -> None:
        reports.append(what)

    await asyncio.to_thread(migrations.upgrade, settings, report)
    newer = [*reversed(revisions())]
    assert reports == [(done, len(newer), id_) for done, id_ in enumerate([*newer, ""])]

    reports.clear()
    await asyncio.to_thread(migrations.upgrade, settings, report)
    assert reports == [(0, 0, "")]


def test_the_revisions_by_the_names_of_the_files_are_those_that_alembic_runs() -> None:
    scripts = ScriptDirectory.from_config(migrations.config("")).walk_revisions()

    assert revisions() == [script.revision for script in scripts]
