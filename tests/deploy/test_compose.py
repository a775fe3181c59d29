"""Real stores with the options of compose.yaml have no finding of `plaudit check` that matters."""

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from tests.deploy.kit import COMPOSE, services
from tests.support.deployment import ROOT

PASSWORD = "p" * 32


def options(name: str) -> dict[str, str]:
    """Returns the options of a Valkey in compose.yaml."""
    server, file, *words = shlex.split(COMPOSE["services"][name]["command"])
    (config,) = COMPOSE["services"][name]["configs"]
    assert (server, file) == ("valkey-server", config["target"])
    assert COMPOSE["configs"][config["source"]] == {"content": "requirepass ${VALKEY_PASSWORD:?}"}
    return {name.removeprefix("--"): value for name, value in zip(words[::2], words[1::2], strict=True)}


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Starts the stores, and returns the environment of Plaudit with their addresses."""
    state = Valkey(tmp_path / "state", password=PASSWORD, settings=options("state"))
    cache = Valkey(tmp_path / "cache", password=PASSWORD, settings=options("cache"))
    with Postgres(tmp_path / "postgres") as postgres, state, cache:
        yield {
            **{name: value for name, value in os.environ.items() if not name.startswith("PLAUDIT_")},
            **{name: str(value) for name, value in services()["worker"]["environment"].items()},
            "DATABASE_URL": postgres.url,
            "REDIS_URL": state.url,
            "PLAUDIT_CACHE_URL": cache.url,
            "PLAUDIT_BUSINESSES_FILE": str(ROOT / "businesses.toml"),
            "PLAUDIT_JWT_JWKS_URL": "https://login.example.com/jwks",
            "PLAUDIT_JWT_AUDIENCE": "plaudit",
            "PLAUDIT_SECRET_KEY": os.urandom(32).hex(),
        }


def test_the_stores_of_compose_pass_the_check(environment: dict[str, str]) -> None:
    plaudit = [sys.executable, "-m", "plaudit"]

    subprocess.run([*plaudit, "migrate"], env=environment, cwd=ROOT, check=True)
    checked = subprocess.run(
        [*plaudit, "check", "--json"], env=environment, cwd=ROOT, check=False, capture_output=True, text=True
    )

    found = {finding["name"]: finding["level"] for finding in json.loads(checked.stdout)}
    assert checked.returncode == 0, checked.stdout
    assert {name for name, level in found.items() if level != "ok"} <= {"settings.root", "settings.interpreter"}
    assert {"state.appendfsync", "state.eviction", "cache.listpacks", "postgres.fsync"} <= found.keys()
