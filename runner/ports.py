"""TCP ports on loopback."""

import socket
from collections.abc import Callable
from typing import TypeVar

from runner.errors import StartError
from runner.waiting import Steps, finished

HOST = "127.0.0.1"
ATTEMPTS = 5

T = TypeVar("T")


def start_on_port(start: Callable[[int], T], port: int | None) -> tuple[T, int]:
    """Wait for `starting_on_port`, where `start` waits by itself."""

    def steps(port: int) -> Steps[T]:
        yield from ()
        return start(port)

    return finished(starting_on_port(steps, port))


def starting_on_port(start: Callable[[int], Steps[T]], port: int | None) -> Steps[tuple[T, int]]:
    """What `start` returns for `port`, and that port; for None it is a free one.

    A free port may be taken before the server listens on it; then another is tried. One that was asked for, perhaps
    because others already know it, is never exchanged: StartError tells that it is taken.
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
    """A port nobody listens on now; somebody may take it a moment later, so starters must be ready to choose again."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def is_free(port: int) -> bool:
    """Whether a server could listen on `port` of the loopback address now."""
    with socket.socket() as probe:
        # As servers do: connections of an earlier server that are still closing do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True
