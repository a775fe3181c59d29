"""Finds free TCP ports on loopback, and starts servers on them."""

import socket
from collections.abc import Callable
from typing import TypeVar

from runner.errors import StartError
from runner.waiting import Steps, finished

HOST = "127.0.0.1"
ATTEMPTS = 5

T = TypeVar("T")


def start_on_port(start: Callable[[int], T], port: int | None) -> tuple[T, int]:
    """Calls `start` with `port`, or with a free port if `port` is None or 0. `start` may block. Returns its result and
    the port.

    If another program takes a free port first, tries the next one. Raises StartError if a `port` that the caller passed
    is taken, or if the server does not start.
    """

    def steps(port: int) -> Steps[T]:
        yield from ()
        return start(port)

    return finished(starting_on_port(steps, port))


def starting_on_port(start: Callable[[int], Steps[T]], port: int | None) -> Steps[tuple[T, int]]:
    """Starts a server in steps that do not block (runner/waiting.py). Calls `start` with `port`, or with a free port if
    `port` is None or 0, and runs its steps. Returns its result and the port.

    Another program may take a free port before the server listens on it; then the next free port is tried. A `port`
    that the caller passed is never replaced. Raises StartError if this port is taken, or if the server does not start.
    """
    for _ in range(ATTEMPTS - 1):
        chosen = port or free_port()
        try:
            return (yield from start(chosen)), chosen
        except StartError as error:
            if port or not error.port_taken:
                raise
    last = port or free_port()
    return (yield from start(last)), last


def free_port() -> int:
    """Returns a port on which no program listens. Another program may take it at any time, so callers must retry."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def is_free(port: int, host: str = HOST) -> bool:
    """Returns whether a server could listen on `port` of `host`, an address of this machine."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        # Servers set this option too: closing connections of an earlier server do not block the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True
