"""Plaudit as it is deployed: API and workers in processes of their own, that can be killed, stopped and started again.

Children die with the process that started them (runner/launch.py).
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from pydantic import BaseModel

from runner.ports import free_port
from runner.process import Command, Process
from settings import ModerationSettings, Settings
from tests.system import LIMITLESS

ROOT = Path(__file__).parents[2]
READY_SECONDS = 60
SECRET = "fault-test-secret-of-32-bytes-or-so!"


class Deployment:
    """Programs over given stores. Keywords are settings beyond those that suit fault tests."""

    def __init__(self, folder: Path, database_url: str, redis_url: str, **settings: Any) -> None:
        self._folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        chosen: dict[str, Any] = {
            "env": "development",
            "database_url": database_url,
            "redis_url": redis_url,
            "jwt_secret": SECRET,
            "businesses_file": ROOT / "tests" / "businesses.toml",
            "partitions": 8,
            "lease": 1.0,
            "settle": 1.5,
            "request_timeout": 1.4,
            "near_seconds": 0.0,
            "tail": 2.0,
            "moderation": ModerationSettings(new_account=0),
            "limits": LIMITLESS,
            "port": self.port,
        }
        self.settings = Settings(**(chosen | settings))
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("PLAUDIT_")},
            **{f"PLAUDIT_{name.upper()}": _told(value) for name, value in _plain(self.settings)},
            "DATABASE_URL": database_url,
            "REDIS_URL": redis_url,
            "PYTHONPATH": str(ROOT),
        }
        self._processes: list[Process] = []

    def migrate(self) -> None:
        """Brings the tables up to date."""
        self.run("migrate")

    def run(self, *words: str) -> None:
        """Runs a command of `plaudit`, which must end well."""
        process = self._start(*words)
        assert process.wait(READY_SECONDS) == 0, process.output()

    def start_api(self, port: int | None = None) -> Process:
        """At the deployment's one address, for which `ready` waits; or at another port."""
        return self._start("api", extra={"PLAUDIT_PORT": str(port)} if port else None)

    def start_worker(self, sabotage: str | None = None, **settings: Any) -> Process:
        """A worker, or one that is broken in exactly one way (tests/faults/sabotage.py)."""
        extra = {f"PLAUDIT_{name.upper()}": str(value) for name, value in settings.items()}
        return self._start("worker", sabotage=sabotage, extra=extra)

    async def ready(self) -> None:
        """Returns when the API answers."""
        async with asyncio.timeout(READY_SECONDS), httpx.AsyncClient(base_url=self.url, trust_env=False) as http:
            while not await _answers(http):
                await asyncio.sleep(0.05)

    async def at_work(self, *workers: Process) -> None:
        """Returns when these workers have come up."""
        async with asyncio.timeout(READY_SECONDS):
            while not all("worker started" in worker.command.log.read_text() for worker in workers):
                await asyncio.sleep(0.05)

    def stop(self) -> None:
        """Ends everything that was started here."""
        for process in reversed(self._processes):
            if process.running:
                os.kill(process.pid, signal.SIGCONT)
            process.stop()

    def _start(self, *words: str, sabotage: str | None = None, extra: dict[str, str] | None = None) -> Process:
        program = ("tests.faults.sabotage", sabotage) if sabotage else ("cli", *words)
        process = Process(
            Command(
                argv=(sys.executable, "-m", *program),
                log=self._folder / f"{words[0]}-{len(self._processes)}.log",
                env=self._environment | (extra or {}),
            )
        )
        self._processes.append(process)
        return process


def _plain(settings: Settings) -> Iterator[tuple[str, object]]:
    for name in settings.model_fields_set - {"database_url", "redis_url", "jwt_secret"}:
        yield name, getattr(settings, name)
    yield "jwt_secret", SECRET


def _told(value: object) -> str:
    """A setting as an environment variable has it."""
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    return json.dumps(value, default=str) if isinstance(value, tuple) else str(value)


async def _answers(http: httpx.AsyncClient) -> bool:
    try:
        return (await http.get("/readyz")).status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def deployed(folder: Path, database_url: str, redis_url: str, **settings: Any) -> Iterator[Deployment]:
    """A deployment of which nothing runs yet; whatever is started is ended with the block."""
    deployment = Deployment(folder, database_url, redis_url, **settings)
    try:
        yield deployment
    finally:
        deployment.stop()
