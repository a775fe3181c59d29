"""The SQLAlchemy engine for Postgres."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Engine, create_engine, event


def engine_at(
    database_url: str,
    *,
    session: Mapping[str, str] | None = None,
    connect_args: Mapping[str, Any] | None = None,
    **options: Any,
) -> Engine:
    """Returns an engine that uses asyncpg. asyncpg parses the URL itself, so `sslmode`, certificates and several hosts
    work as in libpq.

    The engine connects when it is first used. Its methods wait for asyncpg, so they must be called through
    `greenlet_spawn`. `session` has settings of Postgres, which each new connection sets by a statement: PgBouncer
    refuses most settings in the startup message. `connect_args` are passed to asyncpg, `options` to SQLAlchemy.
    """
    engine = create_engine(
        "postgresql+asyncpg://", connect_args={"dsn": database_url, **(connect_args or {})}, **options
    )
    if session:
        statement = "; ".join(f"SET {name} = {value}" for name, value in session.items())

        @event.listens_for(engine, "connect")
        def _connected(connection: Any, _: object) -> None:
            connection.run_async(lambda driver: driver.execute(statement))

    return engine
