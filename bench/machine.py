"""The system that is measured: private durable stores, with Plaudit's programs and the servers that it is compared with
as processes.
"""

import os
import secrets
import sys
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import asyncpg
from pydantic import SecretStr

from bench.community import Community, gathered
from bench.sizes import Sizes
from models.database import migrations
from runner.ports import HOST, free_port
from runner.postgres import Postgres
from runner.process import Command
from runner.program import Program
from runner.valkey import Valkey
from settings import (
    AddressSettings,
    CacheSettings,
    EventSettings,
    LimitSettings,
    ModerationSettings,
    Rate,
    RoleSettings,
    Settings,
    WriteKind,
)
from state import State, opened

_ENDLESS: dict[str, Any] = {
    "points": 2_000_000_000,
    "points_per_second": 2e9,
    "writes": dict.fromkeys(get_args(WriteKind), Rate(burst=2_000_000_000, per_minute=2e9)),
}
"""Limits that are counted as in production, but so large that they refuse nothing: all requests come
from one address.
"""
_NEVER = 1_000_000_000
_COMMIT_TIMES = {"track_commit_timestamp": "on"}
"""Settings of Postgres, so that the section `persisted` can read the times of commits."""
BUILD = Path(__file__).parents[1] / "build"
"""The folder in which the data is stored. The system's temporary folder may be in memory, where durable writes cost
nothing.
"""


def _module(*words: str) -> Sequence[str]:
    """Returns the command line that runs a Python module: its name, then its arguments."""
    return sys.executable, "-m", *words


_API = _module("plaudit", "api")
_LENIENT = ModerationSettings(new_account=0, same_text=1000, same_text_waits=1000, traces=1000)
"""Settings of moderation that hold nothing back. The authors of a benchmark have new accounts and write much."""


@contextmanager
def stores(home: Path, postgres_settings: Mapping[str, str] = _COMMIT_TIMES) -> Iterator[Settings]:
    """Starts a Postgres with tables and an empty Valkey under `home`, which store changes as durably as in production.
    Yields the settings of a system on these stores. Postgres has its default settings, apart from `postgres_settings`.
    """
    postgres = Postgres(home / "postgres", settings=postgres_settings)
    with postgres, Valkey(home / "valkey") as valkey:
        settings = Settings(
            env="development",
            database_url=postgres.url,
            redis_url=valkey.url,
            jwt_secret=SecretStr(secrets.token_urlsafe(32)),
            limits=LimitSettings(user=RoleSettings(**_ENDLESS), ip=AddressSettings(**_ENDLESS)),
            moderation=_LENIENT,
            events=EventSettings(private_addresses=True),  # the receiver of the section `outgoing` is on this machine
            # no local cache, so that pages read from Redis; the section `hot` has its own API
            caches=CacheSettings(hot_reads=_NEVER),
            journal_tail_seconds=0.0,  # swept entries are trimmed at once, so that rounds begin with empty journals
        )
        migrations.upgrade(settings)
        yield settings


@dataclass(frozen=True, slots=True)
class Machine:
    """The stores with their users and entities (`community`), a running API on `api_port`, and methods that start other
    programs on these stores. `state` gives the benchmark direct access to the stores.
    """

    home: Path
    settings: Settings
    state: State
    community: Community
    sizes: Sizes
    api_port: int

    @contextmanager
    def baseline(self, module: str) -> Iterator[int]:
        """Starts the hand-written server `bench.MODULE`. Yields its port."""
        with self.program(module, _module(f"bench.{module}")) as port:
            yield port

    @contextmanager
    def program(self, name: str, argv: Sequence[str], path: str = "/", **extra: str) -> Iterator[int]:
        """Starts a program with the command line `argv`, which serves HTTP on the port PLAUDIT_PORT. `extra` are
        additional environment variables. Yields the port when the program answers `path`.
        """
        with _server(self.home, self.settings, name, argv, path, **extra) as port:
            yield port

    @contextmanager
    def plain_api(self) -> Iterator[int]:
        """Starts `plaudit api` without compiled plans, so that graphql-core executes all operations.
        Yields its port.
        """
        with self.another_api("plain", PLAUDIT_COMPILED_PLANS="false") as port:
            yield port

    @contextmanager
    def another_api(self, name: str, **extra: str) -> Iterator[int]:
        """Starts another `plaudit api`, with additional environment variables. Yields its port."""
        with _server(self.home, self.settings, name, _API, "/readyz", **extra) as port:
            yield port

    @contextmanager
    def worker(self, **extra: str) -> Iterator[None]:
        """Runs `plaudit worker`, with additional environment variables, while the block runs."""
        command = _command(self.home, self.settings, "worker", _module("plaudit", "worker"), 0, **extra)
        with _running(Program("worker", command)):
            yield

    async def connect(self, schema: str) -> asyncpg.Connection:
        """Returns an asyncpg connection to the database, which looks for tables in the schema `schema`."""
        return await asyncpg.connect(self.settings.database_url, server_settings={"search_path": schema, "jit": "off"})


@asynccontextmanager
async def machine(home: Path, settings: Settings, sizes: Sizes) -> AsyncIterator[Machine]:
    """Starts an API on the stores of `settings`, and registers as many users and entities as `sizes` says. Yields all
    of it, and stops the API when the block ends.
    """
    with _server(home, settings, "api", _API, "/readyz") as api_port:
        async with opened(settings, "bench") as state:
            yield Machine(home, settings, state, await gathered(state, sizes), sizes, api_port)


@contextmanager
def _server(home: Path, settings: Settings, name: str, argv: Sequence[str], path: str, **extra: str) -> Iterator[int]:
    port = free_port()
    command = _command(home, settings, name, argv, port, **extra)
    with _running(Program(name, command, _answers(f"http://{HOST}:{port}{path}"))):
        yield port


def _command(home: Path, settings: Settings, name: str, argv: Sequence[str], port: int, **extra: str) -> Command:
    assert settings.jwt_secret is not None
    environment = {
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLAUDIT_ENV": settings.env,
        "PLAUDIT_HOST": HOST,
        "PLAUDIT_PORT": str(port),
        "PLAUDIT_JWT_SECRET": settings.jwt_secret.get_secret_value(),
        "PLAUDIT_JOURNAL_TAIL_SECONDS": str(settings.journal_tail_seconds),
        "PLAUDIT_LIMITS": settings.limits.model_dump_json(),
        "PLAUDIT_MODERATION": settings.moderation.model_dump_json(),
        "PLAUDIT_EVENTS": settings.events.model_dump_json(),
        "PLAUDIT_LOCAL_CACHE_SECONDS": str(settings.local_cache_seconds),
        "PLAUDIT_CACHES": settings.caches.model_dump_json(),
    }
    return Command(argv=tuple(argv), log=home / f"{name}.log", env=os.environ | environment | extra)


@contextmanager
def _running(program: Program) -> Iterator[None]:
    program.start()
    try:
        yield
    finally:
        program.stop()


def _answers(url: str) -> Callable[[], bool]:
    # Requests to loopback must not go through the machine's proxy.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def answers() -> bool:
        try:
            with opener.open(url, timeout=2):
                return True
        except OSError:
            return False

    return answers
