"""Plaudit's own programs, started as the command line would start them."""

import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from runner.errors import RunnerError
from runner.ports import HOST, is_free, start_on_port
from runner.process import Command, Process, finish, run
from runner.program import Program
from runner.supervisor import Service, Supervisor

USUAL_PORT = 8000
STEP_SECONDS = 600
PROBE_SECONDS = 2


class Programs:
    """Starts `plaudit …` with one environment; every program has its log in `data_dir`, and `needs` these services."""

    def __init__(
        self, supervisor: Supervisor, data_dir: Path, environment: dict[str, str], needs: Sequence[Service] = ()
    ) -> None:
        self._needs = needs
        self._supervisor = supervisor
        self._data_dir = data_dir
        self._environment = environment

    def run(self, name: str) -> None:
        """Run `plaudit name` to its end; raise StartError with its output if it fails."""
        run(self._command(name), STEP_SECONDS)

    @contextmanager
    def meanwhile(self, name: str) -> Iterator[None]:
        """Run `plaudit name` beside what is done inside; leaving waits for its end, raising StartError if it fails."""
        process = Process(self._command(name))
        try:
            yield
        except BaseException:
            process.stop()
            raise
        finish(process, STEP_SECONDS)

    def start_worker(self) -> None:
        """Start the worker and keep it running."""
        self._supervisor.start(Program("worker", self._command("worker")), self._needs)

    def start_api(self, port: int | None) -> str:
        """Start the API, keep it running, and return its URL once it is ready.

        It listens on `port`, on a free one for 0, and on the usual one or else a free one for None.
        """
        if port and not is_free(port):
            raise RunnerError(f"Port {port} is taken by another program. Choose another: --port 0 takes any free one.")
        asked = USUAL_PORT if port is None and is_free(USUAL_PORT) else port
        _, chosen = start_on_port(lambda port: self._supervisor.start(self._api(port), self._needs), asked)
        return _url(chosen)

    def _api(self, port: int) -> Program:
        environment = self._environment | {"PLAUDIT_PORT": str(port)}
        environment.pop("PLAUDIT_METRICS_PORT", None)  # the worker's; the API has /metrics in development
        return Program("api", self._command("api", environment), lambda: _is_ready(_url(port)))

    def _command(self, name: str, environment: dict[str, str] | None = None) -> Command:
        return Command(
            argv=tuple(_plaudit(name)), log=self._data_dir / f"{name}.log", env=environment or self._environment
        )


def _plaudit(*words: str) -> list[str]:
    # -P: what lies in the current directory is not ours to import.
    return [sys.executable, "-P", "-m", "plaudit", *words]


def _url(port: int) -> str:
    return f"http://{HOST}:{port}"


def _is_ready(url: str) -> bool:
    try:
        # A proxy configured for the machine must not be asked about loopback.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(f"{url}/readyz", timeout=PROBE_SECONDS) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
