"""Migration of the tables to the schema of this version."""

import asyncio
from collections.abc import Callable

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from models.database.async_engines import async_engine_at
from models.database.revisions import FOLDER
from settings import Settings

_INSTALL_PARTITIONS = text("""
    INSERT INTO partitions (p) SELECT * FROM generate_series(0, :last) WHERE NOT EXISTS (SELECT FROM partitions)
""")
Report = Callable[[int, int, str], None]
"""A function that receives the progress of a migration: the number of finished migrations, the number of all migrations
to run, and the id of the one that runs now. At the end the id is empty.
"""


def _tell_nobody(_done: int, _total: int, _running: str) -> None:
    pass


def config(database_url: str, report: Report = _tell_nobody) -> Config:
    """Returns Alembic's configuration, in place of an alembic.ini. `report` is called before each migration and at the
    end.
    """
    made = Config()
    made.set_main_option("script_location", str(FOLDER))
    made.attributes["url"] = database_url
    made.attributes["report"] = report
    return made


def upgrade(settings: Settings, report: Report = _tell_nobody) -> list[str]:
    """Migrates the tables to the newest revision. If the table `partitions` is empty, inserts a row for each journal
    partition. Calling it again is safe. Calls `report` before each migration and at the end. Returns the ids of the
    migrations that ran.
    """
    ran: list[str] = []

    def note(done: int, total: int, running: str) -> None:
        ran.extend([running] if running else [])
        report(done, total, running)

    command.upgrade(config(settings.database_url, note), "head")
    asyncio.run(_install_partitions(settings))
    return ran


async def _install_partitions(settings: Settings) -> None:
    engine = async_engine_at(settings.database_url)
    async with engine.begin() as connection:
        await connection.execute(_INSTALL_PARTITIONS, {"last": settings.partitions - 1})
    await engine.dispose()
