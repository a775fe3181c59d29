"""The command line: results go to standard output and logs to standard error, and lists can be JSON."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import jwt
import pytest
from typer.testing import Result

from domain import handles
from store.write_log.dead_letters import write
from store.write_log.journal import Entry
from tests.support.follows import follow
from tests.support.persisted_operations import ME, manifest
from tests.support.posts import published
from tests.support.suspensions import SUSPEND
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

CLOSED_PORT = "redis://127.0.0.1:1/0"
CLOSED_DATABASE = "postgresql://plaudit@127.0.0.1:1/plaudit"


def test_standard_output_has_only_the_token_while_redis_is_down(environment: dict[str, str]) -> None:
    command = [sys.executable, "-P", "-m", "plaudit", "token", "--user", "alice"]
    where = {**os.environ, **environment, "REDIS_URL": CLOSED_PORT}

    ended = subprocess.run(command, env=where, capture_output=True, text=True, timeout=60, check=True)

    (token,) = ended.stdout.splitlines()
    secret = environment["PLAUDIT_JWT_SECRET"]
    assert jwt.decode(token, secret, algorithms=["HS256"], options={"verify_aud": False})["sub"] == "alice"
    assert "redis" in ended.stderr


def test_the_version_equals_that_of_the_package(plaudit: Callable[..., Result]) -> None:
    assert plaudit("--version").stdout == f"plaudit {version('plaudit')}\n"


async def test_dead_letters_are_listed_as_json(system: System, plaudit: Callable[..., Result]) -> None:
    entry = Entry(3, 1 << 60, {b"kind": b"like", b"data": b"\xff"})
    async with system.state.postgres.transaction() as transaction:
        await write(transaction, [(entry, "no such thing")])

    result = await asyncio.to_thread(plaudit, "dead-letters", "list", "--json")

    (letter,) = json.loads(result.stdout)
    assert letter == {
        "refusedAt": letter["refusedAt"],
        "partition": 3,
        "version": str(1 << 60),
        "entry": {"kind": "like", "data": "\ufffd"},
        "error": "no such thing",
    }


async def test_the_moderation_log_is_exported_as_json_lines(system: System, plaudit: Callable[..., Result]) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    a = await alice.id()
    await published(alice, "get rich quick")
    await system.drain()
    await mia.ask(SUSPEND, id=a, mode="READ_ONLY", until=None, reason="spam")

    result = await asyncio.to_thread(plaudit, "moderation-log")
    later = await asyncio.to_thread(plaudit, "moderation-log", "--since", "2999-01-01")

    held, suspended = map(json.loads, result.stdout.splitlines())
    assert (held["action"], held["role"], held["actor"], held["business"]) == ("HELD", "RULES", None, "post")
    assert held["after"] == {"status": "PENDING"}
    assert suspended | {"id": "", "createdAt": ""} == {
        "id": "",
        "createdAt": "",
        "action": "SUSPENDED",
        "role": "MODERATOR",
        "actor": await mia.id(),
        "business": "user",
        "target": a.removeprefix("User:"),
        "user": a,
        "before": {"mode": None, "until": None},
        "after": {"mode": "READ_ONLY", "until": None},
        "reason": "spam",
        "ground": None,
    }
    assert later.stdout == ""


def test_lists_are_json(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    plaudit("persisted", "import", manifest(tmp_path, "app.json", me=ME))
    me = {"id": "me", "name": "Me", "type": "query", "source": "app.json", "leastCost": 10, "cost": 10, "problem": None}

    assert json.loads(plaudit("persisted", "list", "--json").stdout) == [me]
    assert json.loads(plaudit("dead-letters", "list", "--json").stdout) == []
    assert all(
        finding.keys() == {"level", "name", "message"} for finding in json.loads(plaudit("check", "--json").stdout)
    )


async def test_drift_is_listed_as_json(system: System, plaudit: Callable[..., Result]) -> None:
    bob = await system.person("bob").id()
    await follow(system.person("alice"), bob)
    await system.drain()

    result = await asyncio.to_thread(plaudit, "reconcile", "--only", "follows", "--json")

    (total,) = json.loads(result.stdout)
    assert total == {"kind": "follow_lists", "compared": total["compared"], "drifting": 0, "repaired": False}
    assert total["compared"] > 0


async def test_discarded_caches_make_writes_direct_until_a_worker_runs(
    system: System, plaudit: Callable[..., Result]
) -> None:
    generations = []
    for env in ("development", "production"):
        ended = await asyncio.to_thread(plaudit, "discard-caches", "--yes", PLAUDIT_ENV=env)
        assert (ended.exit_code, ended.stdout) == (0, "Workers discard what Redis has cached, as soon as they run.\n")
        generations += await system.rows("SELECT generation FROM modes WHERE direct")

    assert generations[0] < generations[1]


@pytest.mark.parametrize("answer", ["n\n", ""], ids=["no", "nothing"])
@pytest.mark.parametrize("command", ["seed", "discard-caches"])
async def test_production_is_not_changed_without_confirmation(
    system: System, plaudit: Callable[..., Result], command: str, answer: str
) -> None:
    asked = await asyncio.to_thread(plaudit, command, answer=answer, PLAUDIT_ENV="production")

    assert asked.exit_code == 1
    assert "This is production" in asked.stderr
    assert await system.rows("SELECT count(*) FROM users") == [(0,)]
    assert await system.rows("SELECT count(*) FROM modes WHERE direct") == [(0,)]


@pytest.mark.parametrize(
    "command",
    [
        "token --user alice",
        "dead-letters list",
        "dead-letters replay",
        "migrate",
        "seed",
        "reconcile",
        "discard-caches",
        "persisted list",
    ],
)
def test_a_command_that_needs_postgres_says_in_one_line_that_it_is_down(
    plaudit: Callable[..., Result], command: str
) -> None:
    ended = plaudit(*command.split(), DATABASE_URL=CLOSED_DATABASE)

    assert (ended.exit_code, ended.stdout) == (1, "")
    assert " does not answer: " in ended.stderr.splitlines()[-1]
    assert isinstance(ended.exception, SystemExit), "a traceback"


def test_a_refused_login_or_a_missing_database_is_one_line(
    plaudit: Callable[..., Result], environment: dict[str, str]
) -> None:
    url = environment["DATABASE_URL"]
    for wrong, expected in ((url.replace("plaudit:", "plaudit:x", 1), "password"), (_missing(url), "does not exist")):
        for command in ("migrate", "dead-letters list"):
            ended = plaudit(*command.split(), DATABASE_URL=wrong)

            assert (ended.exit_code, ended.stdout) == (1, "")
            assert expected in ended.stderr.splitlines()[-1]
            assert isinstance(ended.exception, SystemExit), "a traceback"


def _missing(url: str) -> str:
    return urlsplit(url)._replace(path="/missing").geturl()


def test_a_handle_that_is_not_allowed_is_one_line(plaudit: Callable[..., Result]) -> None:
    ended = plaudit("token", "--user", "x y")

    assert (ended.exit_code, ended.stdout) == (1, "")
    assert ended.stderr == f"{handles.RULE}\n"


@pytest.mark.parametrize("command", ["seed --help", "dead-letters list --json"])
def test_a_reader_that_ends_early_is_no_failure(environment: dict[str, str], command: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-P", "-m", "plaudit", *command.split()]

    ended = subprocess.run(
        words, env=os.environ | environment, stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False
    )

    os.close(writer)
    assert (ended.returncode, ended.stderr) == (1, b"")


def test_a_bug_has_its_traceback(plaudit: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.dead_letters.read", lambda _: 1 / 0)

    assert isinstance(plaudit("dead-letters", "list").exception, ZeroDivisionError)
