"""The two stores of `plaudit dev`: private servers, or the ones the environment names."""

import os
from pathlib import Path

from runner.postgres import Postgres
from runner.supervisor import Supervisor
from runner.valkey import Valkey


def start_stores(supervisor: Supervisor, data_dir: Path) -> dict[str, str]:
    """DATABASE_URL and REDIS_URL for Plaudit's programs; a server is started for each that is not set."""
    return {
        "DATABASE_URL": os.environ.get("DATABASE_URL") or _postgres(supervisor, data_dir / "postgres"),
        "REDIS_URL": os.environ.get("REDIS_URL") or _valkey(supervisor, data_dir / "valkey"),
    }


def _postgres(supervisor: Supervisor, data_dir: Path) -> str:
    postgres = Postgres(data_dir)
    supervisor.start(postgres)
    return postgres.url


def _valkey(supervisor: Supervisor, data_dir: Path) -> str:
    valkey = Valkey(data_dir)
    supervisor.start(valkey)
    return valkey.url
