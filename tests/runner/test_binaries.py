"""Server programs are found where packages install them, and started by their own names."""

import shutil
import sys
from pathlib import Path

import pytest

from runner import binaries
from runner.binaries import postgres_bin, valkey_server
from runner.valkey import Valkey


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """Returns a directory as on Debian: the server is a link to a program that checks the name of its call."""
    called = tmp_path / "redis-check-rdb"
    called.write_text(f'#!/bin/sh\ncase "$0" in *redis-server) exec {valkey_server()} "$@";; esac\nexit 1\n')
    called.chmod(0o755)
    (tmp_path / "redis-server").symlink_to("redis-check-rdb")
    return tmp_path


def test_a_server_that_is_a_link_to_another_program_starts(
    linked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAUDIT_VALKEY_BIN", str(linked))
    with Valkey(tmp_path / "data") as server:
        assert server.command("PING")


@pytest.mark.skipif(not shutil.which("redis-server"), reason="needs the Debian package redis-server")
def test_the_server_of_the_distribution_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = shutil.which("redis-server")
    assert found
    monkeypatch.setenv("PLAUDIT_VALKEY_BIN", str(Path(found).parent))
    with Valkey(tmp_path / "data") as server:
        assert server.command("PING")


def test_programs_that_a_wheel_installed_beside_python_are_found(linked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(sys, "executable", str(linked / "python"))
    found = binaries._find("PLAUDIT_ELSEWHERE", "a_wheel_that_is_not_installed", "*", ("redis-server",))
    assert found == linked / "redis-server"


def test_programs_of_postgres_are_found_through_a_link_to_one_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = postgres_bin()
    (tmp_path / "postgres").symlink_to(home / "postgres")
    monkeypatch.setenv("PLAUDIT_POSTGRES_BIN", str(tmp_path))
    assert postgres_bin() == home.resolve()
