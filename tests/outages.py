"""Ways in which a store can be away."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import psutil
import pytest

from runner.server import Server

Away = Callable[[Server], AbstractContextManager[None]]


@contextmanager
def stopped(server: Server) -> Iterator[None]:
    """It refuses connections."""
    server.stop()
    try:
        yield
    finally:
        server.start()


@contextmanager
def hanging(server: Server) -> Iterator[None]:
    """It accepts connections and says nothing, as after SIGSTOP or on a disk that does not answer."""
    main = psutil.Process(server.pid)
    family = [main, *main.children(recursive=True)]
    for process in family:
        process.suspend()
    try:
        yield
    finally:
        for process in reversed(family):
            process.resume()


both_ways = pytest.mark.parametrize("away", [stopped, hanging])
