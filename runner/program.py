"""Plaudit's own programs, in the form of services that the supervisor runs."""

from collections.abc import Callable

from runner.process import Command, Process
from runner.waiting import Steps, finished, in_background

READY_SECONDS = 60


class Program:
    """A command that the supervisor starts, watches and stops. `ready` returns whether the program has started
    completely.
    """

    def __init__(self, name: str, command: Command, ready: Callable[[], bool] = lambda: True) -> None:
        self.name = name
        self.log = command.log
        self._command = command
        self._ready = ready
        self._process: Process | None = None

    @property
    def running(self) -> bool:
        """Returns whether the process runs."""
        return self._process is not None and self._process.running

    def start(self) -> None:
        """Starts the program and blocks until it is ready. Raises StartError as `starting` does."""
        finished(self.starting())

    def starting(self) -> Steps[None]:
        """Starts the program in steps that do not block, until it is ready. Raises StartError if the program ends, or
        is not ready after a minute.
        """
        if not self.running:
            ready = in_background(self._ready)
            self._process = yield from Process.starting(self._command, lambda _: ready(), READY_SECONDS)

    def stop(self) -> None:
        """Stops the program. Kills it if it does not end in time."""
        if self._process:
            self._process.stop()
