"""Plaudit's own programs as services of the supervisor."""

from collections.abc import Callable

from runner.process import Command, Process
from runner.waiting import Steps, finished, in_background

READY_SECONDS = 60


class Program:
    """A command that the supervisor starts, watches and stops. `ready` returns whether its start is complete."""

    def __init__(self, name: str, command: Command, ready: Callable[[], bool] = lambda: True) -> None:
        self.name = name
        self.log = command.log
        self._command = command
        self._ready = ready
        self._process: Process | None = None

    @property
    def running(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.running

    def start(self) -> None:
        """Starts the program and waits until it is ready, as `starting` does in steps."""
        finished(self.starting())

    def starting(self) -> Steps[None]:
        """Starts the program, in steps, until it is ready. Raises StartError if it ends, or after a minute."""
        if not self.running:
            ready = in_background(self._ready)
            self._process = yield from Process.starting(self._command, lambda _: ready(), READY_SECONDS)

    def stop(self) -> None:
        """Stops the program. Kills it if it does not end in time."""
        if self._process:
            self._process.stop()
