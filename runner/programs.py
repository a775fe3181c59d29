"""Starts the commands of Plaudit: `plaudit migrate`, `plaudit seed`, `plaudit worker` and `plaudit api`."""

import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from runner.errors import RunnerError
from runner.ports import HOST, free_port, is_free, start_on_port
from runner.process import Command, Process, finish, run
from runner.program import Program
from runner.service import Service
from runner.supervisor import Supervisor

USUAL_PORT = 8000
STEP_SECONDS = 600
PROBE_SECONDS = 2


class Programs:
    """Starts `plaudit` commands with the environment variables `environment`. Their logs are in `data_dir`. While a
    service in `needs` is down, the supervisor does not restart the worker and the API.
    """

    def __init__(
        self, supervisor: Supervisor, data_dir: Path, environment: dict[str, str], needs: Sequence[Service] = ()
    ) -> None:
        self._needs = needs
        self._supervisor = supervisor
        self._data_dir = data_dir
        self._environment = environment

    def log(self, name: str) -> Path:
        """Returns the file to which the command `plaudit NAME` appends its output."""
        return self._data_dir / f"{name}.log"

    def run(self, name: str) -> None:
        """Runs the command `plaudit NAME` to its end. Raises StartError with the command's output if the
        command fails.
        """
        run(self._command(name), STEP_SECONDS)

    @contextmanager
    def meanwhile(self, name: str, *options: str) -> Iterator[None]:
        """Runs the command `plaudit NAME` with options while the block runs, and then waits for its end. Raises
        StartError if the command fails.
        """
        process = Process(self._command(name, *options))
        try:
            yield
        except BaseException:
            process.stop()
            raise
        finish(process, STEP_SECONDS)

    def start_worker(self) -> str:
        """Starts `plaudit worker` under the supervisor. Returns the URL at which the worker will serve its metrics, on
        the port `PLAUDIT_METRICS_PORT` or a free port. Raises RunnerError if this port is taken.
        """
        chosen = int(self._environment.get("PLAUDIT_METRICS_PORT", 0))
        check_port(chosen)
        port = chosen or free_port()
        environment = self._environment | {"PLAUDIT_METRICS_PORT": str(port)}
        self._supervisor.start(Program("worker", self._command("worker", environment=environment)), self._needs)
        return f"{_url(port)}/metrics"

    def start_api(self, port: int | None, host: str = HOST) -> str:
        """Starts `plaudit api` under the supervisor, and returns its URL when it is ready.

        The API listens on `port` of `host`. If `port` is 0, it uses a free port; if it is None, port 8000, or a free
        port if 8000 is taken. Raises RunnerError if the port is taken or the API does not start.
        """
        check_port(port, host)
        asked = USUAL_PORT if port is None and is_free(USUAL_PORT, host) else port
        _, chosen = start_on_port(lambda port: self._supervisor.start(self._api(port, host), self._needs), asked)
        return _url(chosen, host)

    def _api(self, port: int, host: str) -> Program:
        environment = self._environment | {"PLAUDIT_PORT": str(port), "PLAUDIT_HOST": host}
        environment.pop("PLAUDIT_METRICS_PORT", None)  # the worker uses the port; in development the API has /metrics
        return Program("api", self._command("api", environment=environment), lambda: _is_ready(_url(port, host)))

    def _command(self, name: str, *options: str, environment: dict[str, str] | None = None) -> Command:
        return Command(
            # -P: imports no modules from the current directory
            argv=(sys.executable, "-P", "-m", "plaudit", name, *options),
            log=self.log(name),
            env=environment or self._environment,
        )


def check_port(port: int | None, host: str = HOST) -> None:
    """Raises RunnerError if no server can listen on `port` of `host`. None and 0 stand for any free port."""
    if not is_free(0, host):
        raise RunnerError(f"This machine does not have the address {host}.")
    if port and not is_free(port, host):
        raise RunnerError(f"Port {port} is taken by another program. Choose another: --port 0 takes any free one.")


def _url(port: int, host: str = HOST) -> str:
    """Returns the URL at which this machine reaches a server that listens on `port` of `host`. If the server listens on
    all addresses, the URL has the loopback address.
    """
    known = {"0.0.0.0": HOST, "::": "[::1]"}.get(host, host)  # noqa: S104 - a comparison
    return f"http://{f'[{known}]' if known.count(':') > 1 and '[' not in known else known}:{port}"


def _is_ready(url: str) -> bool:
    try:
        # Requests to loopback must not go through the machine's proxy.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{url}/readyz", timeout=PROBE_SECONDS) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
