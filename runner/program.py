"""One of Plaudit's own programs, as a service."""

from collections.abc import Callable

from runner.process import Command, Process
from runner.waiting import Steps, finished, in_background

READY_SECONDS = 60


class Program:
    """A command that is started, watched and stopped; `ready` says when it has started (at once, unless told)."""

    def __init__(self, name: str, command: Command, ready: Callable[[], bool] = lambda: True) -> None:
        self.name = name
        self.log = command.log
        self._command = command
        self._ready = ready
        self._process: Process | None = None

    @property
    def running(self) -> bool:
        """Whether it lives."""
        return self._process is not None and self._process.running

    def start(self) -> None:
        """Wait for `starting`."""
        finished(self.starting())

    def starting(self) -> Steps[None]:
        """End when it is ready; raise StartError if it ends before or takes longer than a minute."""
        if not self.running:
            ready = in_background(self._ready)
            self._process = yield from Process.starting(self._command, lambda _: ready(), READY_SECONDS)

    def stop(self) -> None:
        """End it: asked first, killed if it does not listen."""
        if self._process:
            self._process.stop()
