"""What the private servers have in common: data, log and port of their own, and how they end."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Self

from runner.errors import RunnerError
from runner.process import Process
from runner.waiting import Steps, finished


class Server(ABC):
    """A server under `data_dir`, running inside its `with`. Its port stays the same from the first start on."""

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
        """The TCP port, chosen at the first start."""
        if self._port is None:
            raise RunnerError(f"{type(self).__name__} has no port before its first start.")
        return self._port

    @property
    def running(self) -> bool:
        """Whether the server process lives."""
        return self._process is not None and self._process.running

    @property
    def pid(self) -> int | None:
        """The server's process id while it lives."""
        return self._process.pid if self._process and self._process.running else None

    def start(self) -> None:
        """Wait for `starting`."""
        finished(self.starting())

    @abstractmethod
    def starting(self) -> Steps[None]:
        """End when it answers, at once if it runs already; raise RunnerError with the reason if that cannot be."""

    def stop(self) -> None:
        """Write everything down and end."""
        if self._process:
            self._process.stop()

    def kill(self) -> None:
        """Crash: SIGKILL, as if the machine had run out of memory."""
        if self._process:
            self._process.kill()
