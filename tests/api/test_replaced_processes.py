"""The parent process replaces each child that ends after a delay of the child's own."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from api.processes import Processes
from runner.waiting import wait_until

# Python 3.12 and later warn of it: the process of the tests has threads.
pytestmark = pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")

PATIENCE = 20
FATAL = 3


def test_children_that_are_killed_together_are_replaced_together(tmp_path: Path) -> None:
    starts = tmp_path / "starts"

    def serve(_: int) -> None:
        note(starts)
        signal.pause()

    with forked(serve, 12):
        assert wait_until(lambda: len(pids_in(starts)) == 12, PATIENCE)
        for pid in pids_in(starts):
            os.kill(pid, signal.SIGKILL)
        killed = time.monotonic()
        assert wait_until(lambda: len(pids_in(starts)) == 24, PATIENCE)
        assert time.monotonic() - killed < 10, "one after the other they would take twelve seconds"


def test_a_child_that_fails_at_its_start_is_started_once_a_second(tmp_path: Path) -> None:
    starts = tmp_path / "starts"

    def serve(_: int) -> None:
        note(starts)
        os._exit(1)

    began = time.monotonic()
    with forked(serve, 2):
        assert wait_until(lambda: len(pids_in(starts)) >= 2 * 3, PATIENCE)
        assert len(pids_in(starts)) <= 2 * (1 + time.monotonic() - began)


def note(starts: Path) -> None:
    with starts.open("a") as file:
        file.write(f"{os.getpid()}\n")


def pids_in(starts: Path) -> list[int]:
    return [int(pid) for pid in starts.read_text().splitlines()] if starts.exists() else []


@contextmanager
def forked(serve: Callable[[int], None], count: int) -> Iterator[None]:
    """Runs `Processes` in a child of this process while the block runs."""
    parent = os.fork()
    if not parent:
        os._exit(Processes(serve, count, FATAL).run())
    try:
        yield
    finally:
        os.kill(parent, signal.SIGTERM)
        assert os.waitpid(parent, 0)[1] == 0
