"""APIs and workers in processes of their own, which a test can kill, stop and start again.

Children die with the process that started them (runner/launch.py).
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from pathlib import Path
from typing import Any, Self

import httpx
from pydantic import BaseModel

from runner.ports import free_port
from runner.process import Command, Process
from settings import ModerationSettings, Settings
from tests.support.system import LIMITLESS

ROOT = Path(__file__).parents[2]
READY_SECONDS = 60
NOTHING: Mapping[str, str] = {}
SECRET = "fault-test-secret-of-32-bytes-or-so!"


class Deployment:
    """APIs and workers over given stores. Keywords are settings that replace those for fault tests.

    There is one API, or two if `second` is given: the environment variables of the second API.
    """

    def __init__(
        self,
        folder: Path,
        database_url: str,
        redis_url: str,
        second: Mapping[str, str] | None = None,
        **settings: Any,
    ) -> None:
        self._folder = folder
        self._second = second or {}
        self.ports = [free_port() for _ in range(2 if second else 1)]
        self.port = self.ports[0]
        self.urls = [f"http://127.0.0.1:{port}" for port in self.ports]
        self.url = self.urls[0]
        chosen: dict[str, Any] = {
            "env": "development",
            "database_url": database_url,
            "redis_url": redis_url,
            "jwt_secret": SECRET,
            "businesses_file": ROOT / "tests" / "businesses.toml",
            "partitions": 8,
            "partition_lease_seconds": 1.0,
            "pending_seconds": 1.5,
            "request_timeout": 1.4,
            "local_cache_seconds": 0.0,
            "journal_tail_seconds": 2.0,
            "moderation": ModerationSettings(new_account=0),
            "limits": LIMITLESS,
        }
        self.settings = Settings(**(chosen | settings))
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PLAUDIT_")},
            **{f"PLAUDIT_{name.upper()}": _environment_value(value) for name, value in _plain(self.settings)},
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "PYTHONPATH": str(ROOT),
        }
        """The environment variables of every process."""
        self._processes: list[Process] = []

    def of_second(self, **settings: Any) -> Self:
        """Returns this deployment as seen at the second API: with its URL, and with these settings."""
        seen = copy(self)
        seen.url, seen.settings = self.urls[1], self.settings.model_copy(update=settings)
        return seen

    def migrate(self) -> None:
        """Migrates the database."""
        self.run("migrate")

    def run(self, *words: str, number: int = 0, seconds: float = READY_SECONDS) -> str:
        """Runs a `plaudit` command, which must succeed within some seconds. Returns its output. With `number` 1, the
        command has the environment variables of the second API.
        """
        process = self._start(words[0], ("plaudit", *words), self._second if number else {})
        assert process.wait(seconds) == 0, process.output()
        return process.output(sys.maxsize)

    def start_api(
        self, number: int = 0, hours: float = 0, port: int | None = None, processes: int | None = None
    ) -> Process:
        """Starts an API at one of `urls`, or at another port, with a clock that is `hours` ahead, or with several
        processes.
        """
        extra = {"PLAUDIT_PORT": str(port or self.ports[number]), **(self._second if number else {})}
        program = ("tests.failures.faults.api_with_other_clock", str(hours)) if hours else ("plaudit", "api")
        forks = ("--processes", str(processes)) if processes else ()
        return self._start("api", (*program, *forks), extra)

    def start_worker(self, sabotage: str | None = None, number: int = 0, **settings: Any) -> Process:
        """Starts a worker, or one with a given defect (tests/failures/faults/broken_worker.py). With `number` 1, the
        worker has the environment variables of the second API.
        """
        extra = {f"PLAUDIT_{name.upper()}": _environment_value(value) for name, value in settings.items()}
        extra |= self._second if number else {}
        program = ("tests.failures.faults.broken_worker", sabotage) if sabotage else ("plaudit", "worker")
        return self._start("worker", program, extra)

    async def ready(self, seconds: float = READY_SECONDS) -> None:
        """Returns when every API is ready. Raises TimeoutError after some seconds."""
        async with asyncio.timeout(seconds), httpx.AsyncClient(trust_env=False) as http:
            for url in self.urls:
                while not await is_ready(http, url):
                    await asyncio.sleep(0.05)

    async def workers_started(self, *workers: Process, seconds: float = READY_SECONDS) -> None:
        """Returns when these workers have started. Raises TimeoutError after some seconds."""
        async with asyncio.timeout(seconds):
            while not all("worker started" in worker.command.log.read_text() for worker in workers):
                await asyncio.sleep(0.05)

    def stop(self) -> None:
        """Stops every process."""
        for process in reversed(self._processes):
            if process.running:
                os.kill(process.pid, signal.SIGCONT)
            process.stop()

    def start(self, *program: str) -> Process:
        """Starts a module with its arguments."""
        return self._start(program[-1], program)

    def _start(self, name: str, program: tuple[str, ...], extra: Mapping[str, str] = NOTHING) -> Process:
        process = Process(
            Command(
                argv=(sys.executable, "-m", *program),
                log=self._folder / f"{name}-{len(self._processes)}.log",
                env={**self.environment, **extra},
            )
        )
        self._processes.append(process)
        return process


def _plain(settings: Settings) -> Iterator[tuple[str, object]]:
    for name in settings.model_fields_set - {"database_url", "redis_url", "jwt_secret"}:
        yield name, getattr(settings, name)
    yield "jwt_secret", SECRET


def _environment_value(value: object) -> str:
    """Returns a setting as the value of an environment variable."""
    if isinstance(value, BaseModel):
        return value.model_dump_json(exclude_unset=True)  # an operator writes only what is changed
    return json.dumps(value, default=str) if isinstance(value, tuple | dict) else str(value)


async def is_ready(http: httpx.AsyncClient, url: str) -> bool:
    """Returns whether an API reports that it is ready."""
    try:
        return (await http.get(f"{url}/readyz")).status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def deployed(folder: Path, database_url: str, redis_url: str, **settings: Any) -> Iterator[Deployment]:
    """Returns a deployment without running processes. Stops every process after the block."""
    deployment = Deployment(folder, database_url, redis_url, **settings)
    try:
        yield deployment
    finally:
        deployment.stop()
