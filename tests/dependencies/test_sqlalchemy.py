"""The part of SQLAlchemy that dependencies/sqlalchemy.py takes."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, text

from dependencies.sqlalchemy import greenlet_spawn
from models.database.engines import engine_at
from runner.postgres import Postgres
from tests.dependencies.library import Library

SQLALCHEMY = Library("sqlalchemy", "sqlalchemy")
PROGRAM = "import sys, dependencies.sqlalchemy, sqlalchemy; print('sqlalchemy.orm' in sys.modules)"


def one(engine: Engine, statement: str, **parameters: Any) -> Any:
    with engine.connect() as connection:
        return connection.execute(text(statement), parameters).scalar()


async def test_a_blocking_method_waits_without_blocking_the_event_loop(postgres: Postgres) -> None:
    engine = engine_at(postgres.url)
    done = list[str]()

    async def run(name: str, statement: str) -> None:
        assert await greenlet_spawn(one, engine, statement, name=name) == name
        done.append(name)

    await asyncio.gather(
        run("slow", "SELECT CAST(:name AS text) FROM pg_sleep(0.3)"), run("fast", "SELECT CAST(:name AS text)")
    )
    await greenlet_spawn(engine.dispose)

    assert done == ["fast", "slow"], SQLALCHEMY.has_changed("greenlet_spawn blocks the event loop")


async def test_the_errors_and_the_cancellation_of_a_method_reach_the_caller(postgres: Postgres) -> None:
    engine = engine_at(postgres.url)
    waiting = asyncio.create_task(greenlet_spawn(one, engine, "SELECT pg_sleep(60)"))
    await asyncio.sleep(0.2)
    waiting.cancel()

    with pytest.raises(asyncio.CancelledError):
        await waiting
    with pytest.raises(ZeroDivisionError):
        await greenlet_spawn(divmod, 1, 0)
    assert await greenlet_spawn(one, engine, "SELECT 1") == 1
    await greenlet_spawn(engine.dispose)


def test_the_orm_is_not_imported() -> None:
    root = Path(__file__).parents[2]
    found = subprocess.run([sys.executable, "-c", PROGRAM], cwd=root, capture_output=True, text=True, check=True).stdout

    assert found == "False\n", SQLALCHEMY.has_changed("the module of greenlet_spawn imports the ORM")
