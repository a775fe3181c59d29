"""Runs several API processes that share one port. The parent process binds the port, starts the child processes and
waits. The parent serves no requests.

Each child is a complete API with its own caches, connections and metrics. A child that ends is replaced, so SIGTERM to
one child restarts only this child. There is one exception: if a child ends with the exit code `fatal_code` (see
`Processes`), all children are stopped and none is replaced. SIGTERM or SIGINT to the parent drains all children; a
second signal ends them at once. If the parent dies, its children drain and end.
"""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

from observability.logs import Log

log = Log(__name__)

_PR_SET_PDEATHSIG = 1
_RESTART_DELAY = 1.0
"""Seconds that the replacement of a child waits before it serves, so that a child that fails at its start does not use
up a processor.
"""


class Processes:
    """The child processes of one server, numbered from 0. Each child calls `serve` with its number.

    If a child ends with the exit code `fatal_code`, all children are stopped and none is restarted.
    """

    def __init__(self, serve: Callable[[int], None], count: int, fatal_code: int) -> None:
        self._serve = serve
        self._count = count
        self._fatal_code = fatal_code
        self._numbers: dict[int, int] = {}
        """The number of each running child, by process id."""
        self._stopping = False

    def run(self) -> int:
        """Starts the children, and replaces each child that ends, until a signal or a child with the exit code
        `fatal_code` stops all of them. Returns when all children have ended: `fatal_code` if a child ended with this
        code, else 0. In a child, exits instead of returning. Handles SIGTERM and SIGINT.
        """
        for received in (signal.SIGTERM, signal.SIGINT):
            signal.signal(received, self._stop)
        for number in range(self._count):
            self._start(number)
        outcome = 0
        while self._numbers:
            pid, status = os.wait()
            number, code = self._numbers.pop(pid), os.waitstatus_to_exitcode(status)
            if code == self._fatal_code and not self._stopping:
                outcome = code
                self._stop()
            if not self._stopping:
                log.warning("a process ended and is replaced", number=number, pid=pid, code=code)
                self._start(number, _RESTART_DELAY)
        return outcome

    def _start(self, number: int, delay: float = 0) -> None:
        parent = os.getpid()
        if pid := os.fork():
            self._numbers[pid] = number
            if self._stopping:  # the signal came while it was forked
                os.kill(pid, signal.SIGTERM)
            return
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setpgid(0, 0)  # Ctrl-C reaches only the parent, which signals each child once
        _terminate_with_parent(parent)
        time.sleep(delay)  # here and not in the parent, so that one child does not wait for another
        self._serve(number)
        sys.exit()

    def _stop(self, _signal: int = 0, _frame: FrameType | None = None) -> None:
        self._stopping = True
        for pid in list(self._numbers):
            with suppress(ProcessLookupError):  # the child has just ended
                os.kill(pid, signal.SIGTERM)


def _terminate_with_parent(parent: int) -> None:
    """Asks the kernel to send SIGTERM to this process when its parent dies, and exits if the parent has died already.
    Does nothing outside Linux.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            sys.exit()
