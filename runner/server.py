"""The base class of Postgres and Valkey servers that this process starts for itself."""

from pathlib import Path
from typing import Self

from runner.errors import RunnerError
from runner.service import Service


class Server(Service):
    """A server with its own data, log and port, used in a `with` block, which starts and stops it. Its data is in
    `data_dir`. Its port is chosen at the first start, and then stays the same.
    """

    def __init__(self, data_dir: Path, port: int | None) -> None:
        self.data_dir = data_dir.absolute()
        self.log = self.data_dir / f"{self.name}.log"
        self._port = port

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def port(self) -> int:
        """Returns the TCP port, which is chosen at the first start. Raises RunnerError before the first start."""
        if self._port is None:
            raise RunnerError(f"{type(self).__name__} has no port before its first start.")
        return self._port

    @property
    def pid(self) -> int | None:
        """Returns the process id of the server, or None if the server does not run."""
        return self._process.pid if self._process and self._process.running else None

    def kill(self) -> None:
        """Kills the server with SIGKILL, as if the machine had run out of memory."""
        if self._process:
            self._process.kill()
