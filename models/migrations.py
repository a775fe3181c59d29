"""Migration of the tables to the schema of this version."""

import asyncio
from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import text

from models.engines import engine_at
from settings import Settings

_FOLDER = Path(__file__).parent.parent / "alembic"
_INSTALL_PARTITIONS = text("""
    INSERT INTO partitions (p) SELECT * FROM generate_series(0, :last) WHERE NOT EXISTS (SELECT FROM partitions)
""")


def config(database_url: str) -> Config:
    """Returns Alembic's configuration. It replaces an alembic.ini, which would repeat the settings."""
    made = Config()
    made.set_main_option("script_location", str(_FOLDER))
    made.attributes["url"] = database_url
    return made


@cache
def revisions() -> list[str]:
    """Returns the ids of all migrations of this version of Plaudit, newest first. Reads the files, not the database."""
    return [script.revision for script in ScriptDirectory.from_config(config("")).walk_revisions()]


def newest_revision() -> str:
    """Returns the id of the newest migration of this version of Plaudit."""
    return revisions()[0]


def upgrade(settings: Settings) -> None:
    """Migrates the tables to the newest revision, and inserts the rows of the journal partitions if there are none. The
    call can be repeated safely.
    """
    made = config(settings.database_url)
    command.upgrade(made, "head")
    asyncio.run(_install_partitions(settings))


async def _install_partitions(settings: Settings) -> None:
    engine = engine_at(settings.database_url)
    async with engine.begin() as connection:
        await connection.execute(_INSTALL_PARTITIONS, {"last": settings.partitions - 1})
    await engine.dispose()
