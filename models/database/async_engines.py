"""An asynchronous SQLAlchemy engine, for migrations and tests.

The processes of a deployment do not import this module: it loads SQLAlchemy's ORM, which they do not use.
"""

from typing import Any

from sqlalchemy.ext.asyncio import AsyncEngine

from models.database.engines import engine_at


def async_engine_at(database_url: str, **options: Any) -> AsyncEngine:
    """Returns an asynchronous SQLAlchemy engine that connects with asyncpg. `options` are passed to SQLAlchemy."""
    return AsyncEngine(engine_at(database_url, **options))
