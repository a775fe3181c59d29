"""Starts Postgres and Valkey for `plaudit dev`. Starts neither if its URL is given, in DATABASE_URL or REDIS_URL."""

import os
from pathlib import Path

from runner.datadir import kept_secret
from runner.postgres import Postgres
from runner.server import Server
from runner.supervisor import Supervisor
from runner.valkey import Valkey


def start_stores(supervisor: Supervisor, data_dir: Path) -> tuple[dict[str, str], list[Server]]:
    """Starts Postgres if DATABASE_URL is not set, and Valkey if REDIS_URL is not set, under the supervisor. Returns
    both URLs, by the names of these variables, and the started servers.
    """
    started: list[Server] = []

    def started_at(server: Postgres | Valkey) -> str:
        supervisor.start(server)
        started.append(server)
        return server.url

    urls = {
        "DATABASE_URL": os.environ.get("DATABASE_URL") or started_at(Postgres(data_dir / "postgres")),
        "REDIS_URL": os.environ.get("REDIS_URL")
        or started_at(Valkey(data_dir / "valkey", password=kept_secret(data_dir / "valkey-password"))),
    }
    return urls, started
