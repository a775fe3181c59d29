"""Several API processes that share one port.

The parent binds the port, forks, and waits: it serves nothing itself. Each child is a whole API with caches,
connections and metrics of its own. A child that ends is replaced, so that sending it SIGTERM drains and restarts it
alone. SIGTERM or SIGINT at the parent drains all children; a second one ends them at once. If the parent dies,
its children drain and end.
"""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import structlog

log = structlog.get_logger(__name__)

_PR_SET_PDEATHSIG = 1
_PAUSE = 1.0
"""Seconds before a child that ended is replaced: one that fails at once does not take a processor for itself."""


class Processes:
    """Runs `serve(number)` in so many children, numbered from 0. `hopeless` is an exit code that no restart mends."""

    def __init__(self, serve: Callable[[int], None], count: int, hopeless: int) -> None:
        self._serve = serve
        self._count = count
        self._hopeless = hopeless
        self._numbers: dict[int, int] = {}
        """Of running children, by process id."""
        self._stopping = False

    def run(self) -> int:
        """Returns the exit code when all children have ended. In a child it does not return but exits."""
        for sent in (signal.SIGTERM, signal.SIGINT):
            signal.signal(sent, self._stop)
        for number in range(self._count):
            self._start(number)
        outcome = 0
        while self._numbers:
            pid, status = os.wait()
            number, code = self._numbers.pop(pid), os.waitstatus_to_exitcode(status)
            if code == self._hopeless and not self._stopping:
                outcome = code
                self._stop()
            self._replace(number, pid, code)
        return outcome

    def _replace(self, number: int, pid: int, code: int) -> None:
        if not self._stopping:
            log.warning("a process ended and is replaced", number=number, pid=pid, code=code)
            time.sleep(_PAUSE)
        if not self._stopping:  # not told to stop meanwhile
            self._start(number)

    def _start(self, number: int) -> None:
        parent = os.getpid()
        if pid := os.fork():
            self._numbers[pid] = number
            if self._stopping:  # told while it was forked
                os.kill(pid, signal.SIGTERM)
            return
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setpgid(0, 0)  # Ctrl-C reaches the parent alone, which tells every child once
        _end_with(parent)
        self._serve(number)
        sys.exit()

    def _stop(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        self._stopping = True
        for pid in list(self._numbers):
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, signal.SIGTERM)


def _end_with(parent: int) -> None:
    """Has the kernel send this process SIGTERM when its parent dies, where it can."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            sys.exit()
