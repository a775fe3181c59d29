"""Facts about the Postgres server: settings, privileges, locks, and the revision of the tables."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from store.postgres.client import Postgres, Transaction, sqlstate

_UNDEFINED_TABLE = "42P01"
_WAIT = text("SET LOCAL lock_timeout = '1s'")
_REVISION = text("SELECT version_num FROM alembic_version")
_SERVER = text("""
    SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS is_standby,
           current_setting('transaction_read_only') = 'on' AS is_read_only, current_user AS role,
           current_setting('fsync') AS fsync, current_setting('full_page_writes') AS full_page_writes,
           current_setting('synchronous_commit') AS synchronous_commit,
           current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS free_connections,
           extract(epoch FROM clock_timestamp()) * 1000 AS now_ms
""")
_SUITABILITY = text("""
    SELECT current_setting('server_version_num')::int AS version,
           array_agg(name) FILTER (WHERE name NOT IN (SELECT name FROM pg_available_extensions)) AS missing
    FROM unnest(CAST(:extensions AS text[])) AS name
""")
_TUNED = "shared_buffers", "wal_compression", "max_wal_size", "checkpoint_timeout"
_TUNING = text(f"""
    SELECT pg_database_size(current_database()) AS bytes, pg_size_bytes(current_setting('shared_buffers')),
           current_setting('wal_compression') IN ('lz4', 'zstd')
           OR NOT (SELECT 'lz4' = ANY(enumvals) FROM pg_settings WHERE name = 'wal_compression'),
           pg_size_bytes(current_setting('max_wal_size')),
           CAST(extract(epoch FROM CAST(current_setting('checkpoint_timeout') AS interval)) AS integer),
           current_setting('autovacuum') = 'on' AND current_setting('track_counts') = 'on',
           jsonb_build_object({", ".join(f"'{name}', current_setting('{name}')" for name in _TUNED)})
""")  # noqa: S608 - constants
_MISSING_PRIVILEGES = text("""
    SELECT name, string_agg(privilege, ', ') AS privileges
    FROM unnest(CAST(:tables AS text[])) AS name,
         unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
    WHERE NOT has_table_privilege(to_regclass(name), privilege)
    GROUP BY name ORDER BY name
""")
"""A table that does not exist has no missing privileges, because `to_regclass` is null then."""


async def read_server(database: Postgres) -> Any:
    """Returns one row about the Postgres server: `version` (such as 160004), `is_standby`, `is_read_only`, `role` (of
    this process), the settings `fsync`, `full_page_writes` and `synchronous_commit`, `free_connections`, and `now_ms`,
    the server's clock in milliseconds since the Unix epoch.
    """
    (server,) = await database.read(_SERVER)
    return server


async def read_suitability(database: Postgres, extensions: Collection[str]) -> tuple[int, list[str]]:
    """Returns the version of the server, such as 160004, and those of these extensions that are not installed on it."""
    (row,) = await database.read(_SUITABILITY, extensions=list(extensions))
    return row.version, sorted(row.missing or ())


class PostgresTuning(NamedTuple):
    """The size of the database (`bytes`), and the settings of the server that should fit this size. Sizes are in bytes,
    and `checkpoint_s` is the longest time between two checkpoints in seconds. `compresses_fast` is whether the server
    compresses the WAL with the fastest method that it has, and `autovacuum` whether autovacuum runs. `shown` has some
    settings by name, as the server shows them.
    """

    bytes: int
    shared_buffers: int
    compresses_fast: bool
    max_wal_size: int
    checkpoint_s: int
    autovacuum: bool
    shown: Mapping[str, str]


async def read_tuning(database: Postgres) -> PostgresTuning:
    """Returns the size of the database and the settings that should fit it."""
    return PostgresTuning(*(await database.read(_TUNING))[0])


async def read_missing_privileges(database: Postgres, tables: Collection[str]) -> dict[str, str]:
    """Returns the privileges that the role of this process lacks on these tables, such as `INSERT, UPDATE`, by the name
    of the table.
    """
    return {row.name: row.privileges for row in await database.read(_MISSING_PRIVILEGES, tables=list(tables))}


async def lock_for_writes(transaction: Transaction, tables: Iterable[str]) -> None:
    """Locks tables as writes do, to find out whether they can be written. Raises PostgresDown if another session locks
    one of them against writes for more than a second.
    """
    await transaction.execute(_WAIT)
    await transaction.execute(text(f"LOCK TABLE {', '.join(sorted(tables))} IN ROW EXCLUSIVE MODE"))


async def read_revisions(database: Postgres) -> list[str]:
    """Returns the id of the tables' last Alembic migration in a list; an empty list if there are no tables yet."""
    try:
        return [row[0] for row in await database.read(_REVISION)]
    except DBAPIError as error:
        if sqlstate(error) == _UNDEFINED_TABLE:
            return []
        raise
