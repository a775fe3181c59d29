"""Stand-ins for `systemctl` and `systemd-run`, because systemd does not run where the tests run.

`systemctl` asks the test to start and stop processes (host.py). `systemd-run` runs a program with the environment that
its options name.
"""

import json
import os
import socket
import sys
from pathlib import Path

PORT = "STAND_IN_PORT"
"""The environment variable with the port on which the test waits for `systemctl`."""


def environment_in(text: str) -> dict[str, str]:
    """Returns the variables of an `EnvironmentFile`."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def systemctl(words: list[str]) -> int:
    """Sends the words to the test. Returns the exit code that the test answers."""
    with socket.create_connection(("127.0.0.1", int(os.environ[PORT]))) as connection:
        connection.sendall(json.dumps(words).encode() + b"\n")
        answer = json.loads(connection.makefile().readline())
    sys.stderr.write(answer["message"])
    return int(answer["status"])


def systemd_run(words: list[str]) -> None:
    """Replaces this process by the program that the words name."""
    environment = {"PATH": os.environ["PATH"]}
    while words[0].startswith("--"):
        option, _, value = words.pop(0).partition("=")
        if option == "--setenv":
            environment.update(environment_in(value))
        elif value.startswith("EnvironmentFile="):
            environment |= environment_in(Path(value.partition("=")[2]).read_text())
    os.execve(words[0], words, environment)  # noqa: S606 - as systemd-run does


if __name__ == "__main__":
    _, name, *given = sys.argv
    if name == "systemctl":
        sys.exit(systemctl(given))
    systemd_run(given)
