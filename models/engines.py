"""How Postgres is connected to."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine


def engine_at(database_url: str, *, connect_args: Mapping[str, Any] | None = None, **options: Any) -> AsyncEngine:
    """An engine of asyncpg, which reads the address itself: `sslmode`, certificates, several hosts, as libpq has them.

    Connects when first used; `options` are SQLAlchemy's.
    """
    return create_async_engine(
        "postgresql+asyncpg://", connect_args={"dsn": database_url, **(connect_args or {})}, **options
    )
