"""A wheel installs one package. It works beside distributions whose modules have the names of our folders (ADR 35)."""

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from runner.ports import free_port
from runner.process import Command, Process
from runner.waiting import wait_until
from settings import Settings

ROOT = Path(__file__).parents[2]
NEIGHBOURS = {"limits": "limits", "schema": "schema", "web": "web.py", "alembic": "alembic"}

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the interpreter of an environment with the wheel and its neighbours, and with the libraries of ours."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", with_pip=False)
    found = folder / "venv" / "bin" / "python"
    ours = next(path for path in map(Path, sys.path) if path.name == "site-packages")
    packages = next((folder / "venv" / "lib").glob("python*/site-packages"))
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    install = [sys.executable, "-m", "uv", "pip", "install", "--system-certs", "--quiet", "--python", str(found)]
    subprocess.run([*install, *NEIGHBOURS.values()], check=True)
    subprocess.run([*install, "--no-deps", str(wheel)], check=True)
    # A .pth file with a path: its modules come last, and .pth files inside (our checkout) are ignored.
    (packages / "libraries.pth").write_text(f"{ours}\n")
    return found


@pytest.fixture
def environment(make_settings: Callable[..., Settings]) -> dict[str, str]:
    settings = make_settings()
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PLAUDIT"))},
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLAUDIT_ENV": "development",
        "PLAUDIT_PARTITIONS": str(settings.partitions),
        "PLAUDIT_JWT_SECRET": "test-secret-of-thirty-two-bytes!",
        "PLAUDIT_MODERATION_CONSOLE": "true",
    }


def test_an_installed_wheel_serves_beside_other_packages(
    python: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    packages = next(python.parents[1].glob("lib/python*/site-packages"))
    plaudit = str(python.with_name("plaudit"))

    assert {name.name for name in packages.glob("plaudit*")} == {"plaudit", "plaudit-0.1.0.dist-info"}
    program = f"import {', '.join(NEIGHBOURS)}; print({', '.join(f'{name}.__file__' for name in NEIGHBOURS)})"
    printed = subprocess.run([python, "-c", program], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert printed.split() == [str(packages / name / "__init__.py") for name in NEIGHBOURS]

    subprocess.run([plaudit, "migrate"], cwd=tmp_path, env=environment, check=True)
    port = free_port()
    api = Process(Command(argv=(plaudit, "api", "--port", str(port)), log=tmp_path / "log", env=environment))
    try:
        assert wait_until(lambda: answers(port), 30), api.output()
        assert httpx.get(f"http://127.0.0.1:{port}/moderation", trust_env=False).status_code == 200
    finally:
        api.stop()


def answers(port: int) -> bool:
    try:
        answer = httpx.post(f"http://127.0.0.1:{port}/graphql", json={"query": "{ __typename }"}, trust_env=False)
    except httpx.HTTPError:
        return False
    return bool(answer.json() == {"data": {"__typename": "Query"}, "extensions": {"cost": 10}})
