"""The base class of private servers: each has its own data directory, log and port."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self

from runner.errors import RunnerError
from runner.process import Process
from runner.waiting import Steps, finished


class Server(ABC):
    """A private server, used in a `with` block. Its data is in `data_dir`. Its port stays the same after the first
    start.
    """

    name: str

    def __init__(self, data_dir: Path, port: int | None) -> None:
        self.data_dir = data_dir.absolute()
        self.log = self.data_dir / f"{self.name}.log"
        self._port = port
        self._process: Process | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def port(self) -> int:
        """Returns the TCP port, which is chosen at the first start. Raises RunnerError before."""
        if self._port is None:
            raise RunnerError(f"{type(self).__name__} has no port before its first start.")
        return self._port

    @property
    def running(self) -> bool:
        """Returns whether the server process runs."""
        return self._process is not None and self._process.running

    @property
    def pid(self) -> int | None:
        """Returns the process id of the server, or None if the server does not run."""
        return self._process.pid if self._process and self._process.running else None

    def start(self) -> None:
        """Starts the server and blocks until it answers. Does nothing if the server runs. Raises RunnerError if the
        start fails.
        """
        finished(self.starting())

    @abstractmethod
    def starting(self) -> Steps[None]:
        """Starts the server in steps that do not block, until it answers. Does nothing if the server runs. Raises
        RunnerError if the start fails.
        """

    def stop(self) -> None:
        """Stops the server so that it writes its data first."""
        if self._process:
            self._process.stop()

    def kill(self) -> None:
        """Kills the server with SIGKILL, as if the machine had run out of memory."""
        if self._process:
            self._process.kill()
