"""Mistakes of the first hour: each is answered by a sentence that says what to do, and by no traceback."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import checks.postgres
from cli.main import app
from domain import texts
from domain.errors import Unauthenticated
from identity import auth
from identity.auth import Verifier
from tests.support.deployment import ROOT
from tests.support.system import System

pytestmark = [pytest.mark.parametrize("redis_mode", ["standalone"]), pytest.mark.usefixtures("redis_mode")]


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes an empty folder the current one, in which nothing runs, without variables of a deployment."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "REDIS_URL", "PLAUDIT_JWT_SECRET", "PLAUDIT_JWT_JWKS_URL", "PLAUDIT_ENV"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize(
    "words", ["token --user alice", "persisted list", "webhooks list", "words log", "check", "migrate", "seed", "psql"]
)
def test_a_command_without_a_system_says_how_to_start_one(words: str, tmp_path: Path) -> None:
    ended = CliRunner().invoke(app, words.split())

    assert ended.exit_code == 1
    assert ended.stderr.startswith(f"No system runs in {tmp_path / '.data'}. Start one with `plaudit dev`, ")


@pytest.mark.usefixtures("nowhere")
@pytest.mark.parametrize("port", ["-1", "65536", "99999", "http"])
def test_an_impossible_port_is_refused(port: str) -> None:
    ended = CliRunner().invoke(app, ["dev", f"--port={port}"])

    assert (ended.exit_code, "Invalid value for '--port'" in ended.stderr) == (2, True)


def test_an_old_postgres_is_named(plaudit: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks.postgres, "_OLDEST", 990_000)

    ended = plaudit("migrate")

    assert (ended.exit_code, ended.stdout) == (1, "")
    assert "is too old: Plaudit needs Postgres 99 or newer. Name another server in DATABASE_URL." in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_missing_extension_is_named(plaudit: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks.postgres, "_EXTENSIONS", ("pg_trgm", "pg_nonsense"))

    ended = plaudit("migrate")

    assert (ended.exit_code, ended.stdout) == (1, "")
    assert "The Postgres server has no extension pg_nonsense. Install the package" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_migrations_create_the_extensions_that_are_looked_for() -> None:
    texts_of_migrations = [file.read_text() for file in (ROOT / "alembic" / "versions").glob("*.py")]
    created = {
        text.partition("CREATE EXTENSION IF NOT EXISTS ")[2].partition('"')[0]
        for text in texts_of_migrations
        if "CREATE EXTENSION IF NOT EXISTS " in text
    }

    assert created == {*checks.postgres._EXTENSIONS}


async def test_an_expired_token_says_so_and_what_to_do(system: System) -> None:
    token = auth.mint(system.settings, "alice", life=-3600)

    with pytest.raises(Unauthenticated, match=r"The token has expired\. Sign in again, or get a new token\."):
        await Verifier(system.settings).verify(token)
    answer = await system.http.post(
        "/graphql", json={"query": "{ viewer { id } }"}, headers={"authorization": f"Bearer {token}"}
    )
    assert (answer.status_code, answer.json()["errors"][0]["message"]) == (
        401,
        "The token has expired. Sign in again, or get a new token.",
    )


async def test_a_missing_scope_is_named(system: System) -> None:
    answer = (await system.person("alice").send("{ admin { webhooks { name } } }")).json()

    assert answer["errors"][0]["message"] == "This requires a token with the scope admin."


async def test_an_unknown_business_is_named_with_the_place_of_the_known_ones(system: System) -> None:
    answer = (await system.person("alice").send('{ entity(business: "vidoe", key: "v1") { id } }')).json()

    assert answer["errors"][0]["message"] == texts.no_business("vidoe")
    assert "The businesses file of the deployment lists all names." in answer["errors"][0]["message"]


def test_an_old_python_is_named_with_what_to_install(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")  # an old Python fails the check of its version
    old.chmod(0o755)

    ended = subprocess.run(
        ["/bin/bash", str(ROOT / "runner" / "setup.sh"), str(tmp_path / "venv")],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHON": str(old)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert ended.returncode != 0
    assert f"Plaudit needs Python 3.11 or newer with venv, and {old} is not." in ended.stderr
    assert "make setup PYTHON=/path/to/python3" in ended.stderr
    assert not (tmp_path / "venv").exists()


def test_the_message_of_production_stays_for_those_who_chose_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DATABASE_URL", "REDIS_URL", "PLAUDIT_JWT_SECRET", "PLAUDIT_JWT_JWKS_URL"):
        monkeypatch.delenv(name, raising=False)

    ended = CliRunner().invoke(app, ["check"], env={"PLAUDIT_ENV": "production"})

    assert (ended.exit_code, "production needs PLAUDIT_JWT_SECRET" in ended.stderr) == (1, True)
