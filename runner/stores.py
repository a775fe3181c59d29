"""The two stores of `plaudit dev`: private servers, or the servers in DATABASE_URL and REDIS_URL."""

import os
from pathlib import Path

from runner.datadir import kept_secret
from runner.postgres import Postgres
from runner.server import Server
from runner.supervisor import Supervisor
from runner.valkey import Valkey


def start_stores(supervisor: Supervisor, data_dir: Path) -> tuple[dict[str, str], list[Server]]:
    """Returns DATABASE_URL and REDIS_URL, and the servers that were started: one for each variable that is not set."""
    started: list[Server] = []

    def started_at(server: Postgres | Valkey) -> str:
        supervisor.start(server)
        started.append(server)
        return server.url

    urls = {
        "DATABASE_URL": os.environ.get("DATABASE_URL") or started_at(Postgres(data_dir / "postgres")),
        "REDIS_URL": os.environ.get("REDIS_URL") or started_at(_valkey(data_dir)),
    }
    return urls, started


def _valkey(data_dir: Path) -> Valkey:
    return Valkey(data_dir / "valkey", password=kept_secret(data_dir / "valkey-password"))
