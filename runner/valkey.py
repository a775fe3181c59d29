"""A Valkey server that this process starts for itself, on loopback."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from runner.binaries import valkey_server
from runner.files import write_private
from runner.ports import HOST, free_port, starting_on_port
from runner.process import Command, Process
from runner.server import Server
from runner.waiting import Steps, in_background

START_SECONDS = 60
CACHE = {"zset-max-listpack-entries": "1024"}
"""The recommended settings of a Redis server that is only a cache (docs/adr/0014-inboxes-are-listpacks.md)."""


class Valkey(Server):
    """A Valkey server with its own data, log and port. It writes an append-only file and evicts nothing.

    `start` returns when the server has loaded its data and answers. The port stays the same after the first start. A
    power loss loses no acknowledged write with `appendfsync="always"`, and up to two seconds with `"everysec"`. A crash
    of the process loses nothing with either. If `cluster` is true, the server is a node of a cluster
    (tests/support/valkey_cluster.py). Clients must send `password`, if given. `settings` are passed to the server as
    `--name value`.
    """

    name = "valkey"

    def __init__(
        self,
        data_dir: Path,
        *,
        port: int | None = None,
        appendfsync: Literal["everysec", "always"] = "everysec",
        cluster: bool = False,
        password: str | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(data_dir, port)
        self._password = password
        self._bus_port = 0
        self._cluster = cluster
        self._appendfsync = appendfsync
        self._settings = dict(settings or {})

    @property
    def bus_port(self) -> int:
        """Returns the port on which the server listens to the other nodes of the cluster; 0 before the first start."""
        return self._bus_port

    @property
    def url(self) -> str:
        """Returns the URL of database 0, with the password."""
        return f"redis://{f':{self._password}@' if self._password else ''}{HOST}:{self.port}/0"

    def starting(self) -> Steps[None]:
        """Starts the server in steps that do not block (runner/waiting.py), until it answers. Raises RunnerError with
        the reason if that fails.
        """
        if self.running:
            return
        self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.data_dir.chmod(0o700)  # Valkey makes its files readable for all users
        self._process, self._port = yield from starting_on_port(self._launch, self._port)

    def command(self, *words: str | int) -> Any:
        """Sends one command, given by its words, to the server. Returns the reply."""
        return _ask(self.port, self._password, *words)

    def _launch(self, port: int) -> Steps[Process]:
        bus_port = self._bus_port or free_port()
        command = Command(argv=self._argv(port, bus_port), log=self.log)
        answers = in_background(lambda: _answers(port, self._password))
        process = yield from Process.starting(command, lambda _: answers(), START_SECONDS)
        self._bus_port = bus_port
        return process

    def _argv(self, port: int, bus_port: int) -> tuple[str, ...]:
        chosen = {
            "bind": HOST,
            "port": str(port),
            "dir": str(self.data_dir),
            "appendonly": "yes",
            "appendfsync": self._appendfsync,
            "maxmemory-policy": "noeviction",
            "save": "",
        }
        if self._cluster:
            # The default, port + 10000, can be above 65535 for a port that the system chose.
            chosen |= {"cluster-enabled": "yes", "cluster-port": str(bus_port), "cluster-node-timeout": "2000"}
        options = [part for name, value in (chosen | self._settings).items() for part in (f"--{name}", value)]
        return (str(valkey_server()), *([str(self._secrets(self._password))] if self._password else []), *options)

    def _secrets(self, password: str) -> Path:
        """Writes the password to a file and returns the file's path. The password is not an argument of the server
        program, because all users can read a program's command line.
        """
        file = self.data_dir / "secrets.conf"
        write_private(file, f"requirepass {password}\n")
        return file


def _answers(port: int, password: str | None) -> bool:
    try:
        return bool(_ask(port, password, "PING"))
    except RedisError:
        return False


def _ask(port: int, password: str | None, *words: str | int) -> Any:
    with Redis(
        HOST, port, password=password, socket_timeout=5, retry=Retry(NoBackoff(), 0), decode_responses=True
    ) as client:
        return client.execute_command(*words)
