"""Several API processes that share one port. The parent process binds the port, starts the children and waits. It
serves no requests.

Each child is a whole API with its own caches, connections and metrics. A child that ends is replaced, so sending it
SIGTERM restarts only this child. SIGTERM or SIGINT at the parent drains all children; a second signal ends them at
once. If the parent dies, its children drain and end.
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
"""Seconds before a child that ended is replaced, so that a child that fails at once does not occupy a processor."""


class Processes:
    """Runs `serve(number)` in child processes numbered from 0. If a child ends with the exit code `hopeless`, none is
    started again.
    """

    def __init__(self, serve: Callable[[int], None], count: int, hopeless: int) -> None:
        self._serve = serve
        self._count = count
        self._hopeless = hopeless
        self._numbers: dict[int, int] = {}
        """The number of each running child, by process id."""
        self._stopping = False

    def run(self) -> int:
        """Returns the exit code when all children have ended. In a child, this method exits instead of returning."""
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
        if not self._stopping:  # unless it was stopped meanwhile
            self._start(number)

    def _start(self, number: int) -> None:
        parent = os.getpid()
        if pid := os.fork():
            self._numbers[pid] = number
            if self._stopping:  # the signal came while it was forked
                os.kill(pid, signal.SIGTERM)
            return
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setpgid(0, 0)  # Ctrl-C is sent to the parent only, which signals each child once
        _end_with(parent)
        self._serve(number)
        sys.exit()

    def _stop(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        self._stopping = True
        for pid in list(self._numbers):
            with suppress(ProcessLookupError):  # the child has just ended
                os.kill(pid, signal.SIGTERM)


def _end_with(parent: int) -> None:
    """Asks the kernel to send this process SIGTERM when its parent dies, if the system supports it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            sys.exit()
