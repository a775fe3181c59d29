"""Starts the two stores of `plaudit dev`. A store whose URL is given in DATABASE_URL or REDIS_URL is not started."""

import os
from pathlib import Path

from runner.datadir import kept_secret
from runner.postgres import Postgres
from runner.server import Server
from runner.supervisor import Supervisor
from runner.valkey import Valkey


def start_stores(supervisor: Supervisor, data_dir: Path) -> tuple[dict[str, str], list[Server]]:
    """Starts a private server for each of DATABASE_URL and REDIS_URL that is not set. Returns both URLs by these names,
    and the started servers.
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
