"""What is measured on: private durable stores; Plaudit's programs and the baselines as processes of their own."""

import os
import secrets
import sys
import urllib.request
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import asyncpg
from pydantic import SecretStr

from bench.community import Community, gathered
from bench.sizes import Sizes
from models import migrations
from runner.ports import HOST, free_port
from runner.postgres import Postgres
from runner.process import Command
from runner.program import Program
from runner.valkey import Valkey
from settings import AddressSettings, LimitSettings, ModerationSettings, Rate, RoleSettings, Settings, WriteKind
from state import State, opened

_ENDLESS: dict[str, Any] = {
    "points": 2_000_000_000,
    "points_per_second": 2e9,
    "writes": dict.fromkeys(get_args(WriteKind), Rate(burst=2_000_000_000, per_minute=2e9)),
}
"""Budgets are charged as in earnest; all requests come from one address, and must not be refused."""
_NEVER = 1_000_000_000
_LENIENT = ModerationSettings(new_account=0, same_text=1000, same_text_waits=1000, traces=1000)
"""Authors are new here, and write much."""


@contextmanager
def stores(home: Path) -> Iterator[Settings]:
    """A migrated Postgres and an empty Valkey under `home`, with the durability they have in production."""
    # Commit times are what the section `persisted` reads; nothing else differs from the defaults.
    postgres = Postgres(home / "postgres", settings={"track_commit_timestamp": "on"})
    with postgres, Valkey(home / "valkey") as valkey:
        settings = Settings(
            env="development",
            database_url=postgres.url,
            redis_url=valkey.url,
            jwt_secret=SecretStr(secrets.token_urlsafe(32)),
            limits=LimitSettings(user=RoleSettings(**_ENDLESS), ip=AddressSettings(**_ENDLESS)),
            moderation=_LENIENT,
            hot_key_reads=_NEVER,  # pages are compared that ask Redis; the section `hot` has an API of its own
            journal_tail_seconds=0.0,  # what is swept is trimmed at once, so that a round ends where the next begins
        )
        migrations.upgrade(settings)
        yield settings


@dataclass(frozen=True, slots=True)
class Machine:
    """The stores, who lives in them, `plaudit api` over them, and how to start other programs."""

    home: Path
    settings: Settings
    state: State
    community: Community
    sizes: Sizes
    api_port: int

    @contextmanager
    def baseline(self, module: str) -> Iterator[int]:
        """A hand-written server of this package; gives its port."""
        with _server(self.home, self.settings, module, (f"bench.{module}",), "/") as port:
            yield port

    @contextmanager
    def plain_api(self) -> Iterator[int]:
        """`plaudit api` without plans: graphql-core does everything; gives its port."""
        with self.another_api("plain", PLAUDIT_COMPILED_PLANS="false") as port:
            yield port

    @contextmanager
    def another_api(self, name: str, **extra: str) -> Iterator[int]:
        """`plaudit api` with more of its environment; gives its port."""
        with _server(self.home, self.settings, name, ("plaudit", "api"), "/readyz", **extra) as port:
            yield port

    @contextmanager
    def worker(self, **extra: str) -> Iterator[None]:
        """`plaudit worker`, with more of its environment."""
        command = _command(self.home, self.settings, "worker", ("plaudit", "worker"), 0, **extra)
        with _running(Program("worker", command)):
            yield

    async def connect(self, schema: str) -> asyncpg.Connection:
        """A connection of the bare driver whose unqualified tables are those of `schema`."""
        return await asyncpg.connect(self.settings.database_url, server_settings={"search_path": schema, "jit": "off"})


@asynccontextmanager
async def machine(home: Path, settings: Settings, sizes: Sizes) -> AsyncIterator[Machine]:
    """The stores inhabited and served, for as long as the block runs."""
    with _server(home, settings, "api", ("plaudit", "api"), "/readyz") as api_port:
        async with opened(settings, "bench") as state:
            yield Machine(home, settings, state, await gathered(state, sizes), sizes, api_port)


@contextmanager
def _server(home: Path, settings: Settings, name: str, words: Sequence[str], path: str, **extra: str) -> Iterator[int]:
    port = free_port()
    command = _command(home, settings, name, words, port, **extra)
    with _running(Program(name, command, _answers(f"http://{HOST}:{port}{path}"))):
        yield port


def _command(home: Path, settings: Settings, name: str, words: Sequence[str], port: int, **extra: str) -> Command:
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
        "PLAUDIT_LOCAL_CACHE_SECONDS": str(settings.local_cache_seconds),
        "PLAUDIT_HOT_KEY_READS": str(settings.hot_key_reads),
    }
    argv = (sys.executable, "-m", *words)
    return Command(argv=argv, log=home / f"{name}.log", env=os.environ | environment | extra)


@contextmanager
def _running(program: Program) -> Iterator[None]:
    program.start()
    try:
        yield
    finally:
        program.stop()


def _answers(url: str) -> Callable[[], bool]:
    # A proxy configured for the machine must not be asked about loopback.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def answers() -> bool:
        try:
            with opener.open(url, timeout=2):
                return True
        except OSError:
            return False

    return answers
