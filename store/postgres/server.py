"""The settings of the Postgres server, and the revision of its tables."""

from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from store.postgres.client import Postgres, sqlstate

_UNDEFINED_TABLE = "42P01"
_REVISION = text("SELECT version_num FROM alembic_version")
_SERVER = text("""
    SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS is_standby,
           current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
           current_setting('synchronous_commit') AS synchronous_commit,
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS free_connections,
           extract(epoch FROM clock_timestamp()) * 1000 AS now_ms
""")


async def read_server(database: Postgres) -> Any:
    """Returns the Postgres server's version, role, durability settings, free connections and clock, as one row with the
    columns of the query.
    """
    (server,) = await database.read(_SERVER)
    return server


async def read_revisions(database: Postgres) -> list[str]:
    """Returns the revision of the tables as a list of one id; an empty list if there are no tables yet."""
    try:
        return [row[0] for row in await database.read(_REVISION)]
    except DBAPIError as error:
        if sqlstate(error) == _UNDEFINED_TABLE:
            return []
        raise
