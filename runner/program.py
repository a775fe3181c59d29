"""Runs Plaudit's own programs as services, which the supervisor watches."""

from collections.abc import Callable

from runner.process import Command, Process
from runner.service import Service
from runner.waiting import Steps, in_background

READY_SECONDS = 60


class Program(Service):
    """A command that the supervisor starts, watches and stops. `ready` returns whether the program has started
    completely; it is called in a thread, so it may block.
    """

    def __init__(self, name: str, command: Command, ready: Callable[[], bool] = lambda: True) -> None:
        self.name = name
        self.log = command.log
        self._command = command
        self._ready = ready

    def starting(self) -> Steps[None]:
        """Starts the program in steps that do not block (runner/waiting.py), until it is ready. Does nothing if the
        program runs. Raises StartError if the program ends, or is not ready after a minute.
        """
        if not self.running:
            ready = in_background(self._ready)
            self._process = yield from Process.starting(self._command, lambda _: ready(), READY_SECONDS)
