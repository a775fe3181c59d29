"""A Postgres server that this process starts for itself, on loopback."""

import signal
from collections.abc import Mapping
from pathlib import Path

from runner import pgdata
from runner.binaries import postgres_bin
from runner.errors import RunnerError
from runner.ports import HOST, starting_on_port
from runner.process import Command, Process
from runner.server import Server
from runner.waiting import Steps, until

START_SECONDS = 60
PREDECESSOR_SECONDS = 15


class Postgres(Server):
    """A Postgres server with its own data, log and port. It accepts clients on this machine that know a password.

    `start` creates the data directory and the database `plaudit` if they are missing, recovers after a crash, and
    returns when the server accepts connections. The port stays the same after the first start. With `durable=False` the
    server is faster and loses data at a power loss; tests use that. `settings` are passed to the server as `-c
    name=value`.
    """

    name = "postgres"

    def __init__(
        self,
        data_dir: Path,
        *,
        port: int | None = None,
        durable: bool = True,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(data_dir, port)
        self._durable = durable
        self._settings = dict(settings or {})

    @property
    def url(self) -> str:
        """Returns the URL of the database `plaudit`, with a name and password."""
        return self.url_of(pgdata.DATABASE)

    def url_of(self, database: str, role: str = pgdata.USER) -> str:
        """Returns the URL of a database of this server, with the name and password of `role`. The database need not
        exist.
        """
        password = pgdata.password(self.data_dir / "data", role)
        return f"postgresql://{role}:{password}@{HOST}:{self.port}/{database}?sslmode=disable"

    def starting(self) -> Steps[None]:
        """Starts the server in steps that do not block (runner/waiting.py), until it accepts connections. Raises
        RunnerError if that fails.
        """
        if self.running:
            return
        self.data_dir.mkdir(parents=True, exist_ok=True)
        binaries = postgres_bin()
        data = pgdata.prepare(self.data_dir, binaries, durable=self._durable)
        yield from self._await_predecessor(data)
        self._process, self._port = yield from starting_on_port(
            lambda port: self._launch(data, binaries, port), self._port
        )

    def _launch(self, data: Path, binaries: Path, port: int) -> Steps[Process]:
        command = Command(
            argv=(f"{binaries}/postgres", "-D", str(data), *self._options(port)),
            log=self.log,
            env=pgdata.environment(),
            stop_signal=signal.SIGINT,
            stop_seconds=60,  # Postgres writes all changed pages first
            # On SIGQUIT Postgres ends its children first. SIGKILL would leave them running for a while.
            death_signal=signal.SIGQUIT,
            unprivileged=data,
        )
        return Process.starting(command, lambda process: pgdata.is_ready(data, process.pid), START_SECONDS)

    def _options(self, port: int) -> list[str]:
        chosen = {"listen_addresses": HOST, "port": str(port), "unix_socket_directories": "", "timezone": "UTC"}
        if not self._durable:
            chosen |= {"fsync": "off", "full_page_writes": "off"}
        return [part for name, value in (chosen | self._settings).items() for part in ("-c", f"{name}={value}")]

    def _await_predecessor(self, data: Path) -> Steps[None]:
        """Waits, in steps that do not block, until an earlier server on the data directory `data` has ended. Such a
        server may still be stopping after its parent died. Raises RunnerError after 15 seconds.
        """
        if not (yield from until(lambda: not pgdata.servers_on(data), PREDECESSOR_SECONDS)):
            processes = ", ".join(map(str, pgdata.servers_on(data)))
            raise RunnerError(f"Another Postgres already runs on {data} (processes {processes}). Stop it first.")
