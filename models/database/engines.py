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
    """Returns a SQLAlchemy engine that connects with asyncpg. asyncpg parses the URL itself, so `sslmode`, certificates
    and several hosts work as in libpq. The engine connects when it is first used.

    Call its methods through SQLAlchemy's `greenlet_spawn`, because they wait for asyncpg. Each new connection sets the
    Postgres settings in `session` by a statement, because PgBouncer refuses most settings in the startup message.
    `connect_args` are passed to asyncpg, `options` to SQLAlchemy.
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
