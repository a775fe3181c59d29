"""Checks that docs/operate/install.md is right about Debian's PgBouncer: session mode works, the other modes do not."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from cli.main import app
from settings import Settings
from store.postgres import client
from store.postgres.client import sqlstate
from tests.support import pgbouncer
from tests.support.social_scene import made, read
from tests.support.stores import standalone
from tests.support.system import LENIENT, running

pytestmark = [standalone, pytest.mark.skipif(pgbouncer.PROGRAM is None, reason=pgbouncer.MISSING)]
Pooled = Callable[[str], AbstractContextManager[str]]


@pytest.fixture
def pooled(database_url: str) -> Iterator[Pooled]:
    """Returns a function that runs PgBouncer in front of the test's database, in a mode."""
    with TemporaryDirectory() as folder:
        yield partial(pgbouncer.pooled, Path(folder), database_url)


async def test_a_system_works_behind_pgbouncer_in_session_mode(
    pooled: Pooled, make_settings: Callable[..., Settings]
) -> None:
    with pooled("session") as url:
        async with running(make_settings(database_url=url, moderation=LENIENT, local_cache_seconds=0)) as system:
            scene = await made(system)
            found, _ = await read(scene, scene.alice)

    assert scene.bob_id in set().union(*found.values())


async def test_sessions_have_their_settings_in_session_mode(
    pooled: Pooled, make_settings: Callable[..., Settings]
) -> None:
    settings = "SELECT current_setting('jit'), current_setting('idle_in_transaction_session_timeout')"
    with pooled("session") as url:
        async with running(make_settings(database_url=url)) as system:
            assert await system.rows(settings) == [("off", "3s")]


@pytest.mark.parametrize("command", ["migrate", "token --user alice", "dead-letters list"])
def test_commands_work_behind_pgbouncer_in_session_mode(
    pooled: Pooled, redis_url: str, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    with pooled("session") as url:
        ended = _run(command, url, redis_url, monkeypatch)

    assert ended == (0, "")


async def test_prepared_statements_are_lost_in_transaction_mode(
    pooled: Pooled, make_settings: Callable[..., Settings]
) -> None:
    with pooled("transaction") as url:
        postgres = client.connect(make_settings(database_url=url), "test")
        reads = [postgres.read(text(f"SELECT pg_sleep(0.01), {number % 16}")) for number in range(400)]
        answers = await asyncio.gather(*reads, return_exceptions=True)
        await postgres.close()

    states = {sqlstate(answer) for answer in answers if isinstance(answer, BaseException)}
    assert states <= {"26000", "42P05"}  # a prepared statement does not exist, or exists already
    assert states


def test_statement_mode_refuses_transactions(pooled: Pooled, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pooled("statement") as url:
        status, message = _run("migrate", url, redis_url, monkeypatch)

    assert status == 1
    assert "transaction blocks not allowed in statement pooling mode" in message
    assert len(message.splitlines()) == 1


def _run(command: str, database_url: str, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str]:
    """Runs a command. Returns its exit code and what it wrote to standard error."""
    for name, value in {
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "PLAUDIT_ENV": "development",
        "PLAUDIT_PARTITIONS": "4",
        "PLAUDIT_JWT_SECRET": "s" * 32,
    }.items():
        monkeypatch.setenv(name, value)
    ended = CliRunner().invoke(app, command.split())
    return ended.exit_code, ended.stderr
