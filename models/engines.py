"""The SQLAlchemy engine for Postgres."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, create_engine


def engine_at(database_url: str, *, connect_args: Mapping[str, Any] | None = None, **options: Any) -> Engine:
    """Returns an engine that uses asyncpg. asyncpg parses the URL itself, so `sslmode`, certificates and several hosts
    work as in libpq.

    The engine connects when it is first used. Its methods wait for asyncpg, so they must be called through
    `greenlet_spawn`. `options` are passed to SQLAlchemy.
    """
    return create_engine("postgresql+asyncpg://", connect_args={"dsn": database_url, **(connect_args or {})}, **options)
