"""A process that cannot start says why without a traceback."""

import os
import random
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from typer.testing import Result

from runner.ports import HOST

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


@pytest.fixture
def taken_port() -> Iterator[int]:
    """Takes a port outside the range from which the system gives ports, so the ports beside it are free."""
    while True:
        with suppress(OSError), socket.create_server((HOST, random.randrange(20_000, 30_000))) as server:
            yield server.getsockname()[1]
            return


@pytest.mark.parametrize(
    ("command", "setting"),
    [
        ("api", "PLAUDIT_PORT"),
        ("api --processes 2", "PLAUDIT_PORT"),
        ("api", "PLAUDIT_METRICS_PORT"),
        ("api --processes 3", "PLAUDIT_METRICS_PORT"),
        ("worker", "PLAUDIT_METRICS_PORT"),
    ],
)
def test_a_taken_port_is_one_line(plaudit: Callable[..., Result], taken_port: int, command: str, setting: str) -> None:
    port = taken_port - 2 if "3" in command else taken_port  # the third process uses the second next port
    ports = {"PLAUDIT_PORT": "0"} | {setting: str(port)}

    ended = plaudit(*command.split(), **ports)

    assert (ended.exit_code, ended.stdout) == (1, "")
    assert ended.stderr == (f"{setting}: cannot listen on port {taken_port} of 127.0.0.1: Address already in use\n")


@pytest.mark.parametrize("command", ["api", "worker"])
def test_a_host_of_another_machine_is_one_line(plaudit: Callable[..., Result], command: str) -> None:
    ended = plaudit(command, PLAUDIT_HOST="192.0.2.1", PLAUDIT_PORT="0", PLAUDIT_METRICS_PORT="0")

    assert ended.exit_code == 1
    assert ended.stderr.endswith("port 0 of 192.0.2.1: Cannot assign requested address\n")


@pytest.mark.timeout(180)
@pytest.mark.parametrize("command", [pytest.param("api", marks=pytest.mark.prove), "api --processes 2", "worker"])
@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"REDIS_URL": "redis://127.0.0.1:1?foo=bar"}, "unexpected keyword argument 'foo'"),
        ({"PLAUDIT_ENV": "production"}, "postgres.fsync: fsync is off"),
        ({"PLAUDIT_PERSISTED_MANIFESTS": '["/none.json"]'}, "PLAUDIT_PERSISTED_MANIFESTS: /none.json: cannot be read"),
    ],
    ids=["address", "check", "manifest"],
)
def test_a_process_that_refuses_its_settings_says_why(
    environment: dict[str, str], command: str, variables: dict[str, str], message: str
) -> None:
    if command == "worker" and "PLAUDIT_PERSISTED_MANIFESTS" in variables:
        pytest.skip("workers do not read manifests")
    words = [sys.executable, "-P", "-m", "plaudit", *command.split()]
    where = os.environ | environment | {"PLAUDIT_PORT": "0"} | variables

    ended = subprocess.run(words, env=where, capture_output=True, text=True, timeout=120, check=False)

    assert ended.returncode == (1 if command == "worker" else 3)
    assert message in ended.stderr
    assert "Traceback" not in ended.stdout + ended.stderr
