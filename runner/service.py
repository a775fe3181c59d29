"""The base class of everything that the supervisor runs: Postgres and Valkey servers, and Plaudit's own programs."""

from abc import ABC, abstractmethod
from pathlib import Path

from runner.process import Process
from runner.waiting import Steps, finished


class Service(ABC):
    """A server or program of one process, which can be started again after it has ended. `name` is for messages; `log`
    is the path of its log file. Subclasses implement `starting`.
    """

    name: str
    log: Path
    _process: Process | None = None

    @property
    def running(self) -> bool:
        """Returns whether the service has become ready, and its process still runs."""
        return self._process is not None and self._process.running

    def start(self) -> None:
        """Starts the service, and blocks until it is ready. Does nothing if it runs. Raises RunnerError if the start
        fails.
        """
        finished(self.starting())

    @abstractmethod
    def starting(self) -> Steps[None]:
        """Starts the service in steps that do not block (runner/waiting.py), until it is ready. Does nothing if it
        runs. Raises RunnerError if the start fails.
        """

    def stop(self) -> None:
        """Asks the process to end, and returns when it has ended. Kills the process if it does not end in time."""
        if self._process:
            self._process.stop()
