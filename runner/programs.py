"""Starts `plaudit migrate`, `plaudit seed`, `plaudit worker` and `plaudit api`."""

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
    """Starts `plaudit` commands with the environment `environment`. Their logs are in `data_dir`. While a service in
    `needs` is down, the supervisor does not restart them.
    """

    def __init__(
        self, supervisor: Supervisor, data_dir: Path, environment: dict[str, str], needs: Sequence[Service] = ()
    ) -> None:
        self._needs = needs
        self._supervisor = supervisor
        self._data_dir = data_dir
        self._environment = environment

    def log(self, name: str) -> Path:
        """Returns the file to which `plaudit name` appends its output."""
        return self._data_dir / f"{name}.log"

    def run(self, name: str) -> None:
        """Runs `plaudit name` to its end. Raises StartError with the command's output if the command fails."""
        run(self._command(name), STEP_SECONDS)

    @contextmanager
    def meanwhile(self, name: str, *options: str) -> Iterator[None]:
        """Runs `plaudit name` with options while the block runs, and then waits for its end. Raises StartError if the
        command fails.
        """
        process = Process(self._command(name, *options))
        try:
            yield
        except BaseException:
            process.stop()
            raise
        finish(process, STEP_SECONDS)

    def start_worker(self) -> str:
        """Starts `plaudit worker` under the supervisor. Returns the URL at which it will serve its metrics, on
        `PLAUDIT_METRICS_PORT` or a free port.
        """
        port = int(self._environment.get("PLAUDIT_METRICS_PORT", 0)) or free_port()
        environment = self._environment | {"PLAUDIT_METRICS_PORT": str(port)}
        self._supervisor.start(Program("worker", self._command("worker", environment=environment)), self._needs)
        return f"{_url(port)}/metrics"

    def start_api(self, port: int | None) -> str:
        """Starts `plaudit api` under the supervisor, and returns its URL when it is ready.

        The API listens on `port`. For 0 it uses a free port; for None it uses 8000, or a free port if 8000 is taken.
        """
        if port and not is_free(port):
            raise RunnerError(f"Port {port} is taken by another program. Choose another: --port 0 takes any free one.")
        asked = USUAL_PORT if port is None and is_free(USUAL_PORT) else port
        _, chosen = start_on_port(lambda port: self._supervisor.start(self._api(port), self._needs), asked)
        return _url(chosen)

    def _api(self, port: int) -> Program:
        environment = self._environment | {"PLAUDIT_PORT": str(port)}
        environment.pop("PLAUDIT_METRICS_PORT", None)  # the worker uses the port; in development the API has /metrics
        return Program("api", self._command("api", environment=environment), lambda: _is_ready(_url(port)))

    def _command(self, name: str, *options: str, environment: dict[str, str] | None = None) -> Command:
        return Command(
            # -P: imports no modules from the current directory
            argv=(sys.executable, "-P", "-m", "plaudit", name, *options),
            log=self.log(name),
            env=environment or self._environment,
        )


def _url(port: int) -> str:
    return f"http://{HOST}:{port}"


def _is_ready(url: str) -> bool:
    try:
        # Requests to loopback must not go through the machine's proxy.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{url}/readyz", timeout=PROBE_SECONDS) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
