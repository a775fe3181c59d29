"""How often persisted operations were requested, by operation, client and version."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import text

from store.postgres.client import Postgres
from store.postgres.columns import columns

# In the order of the key, so that two processes cannot wait for each other.
_ADD = text("""
    INSERT INTO persisted_usage (operation_id, client, version, requests, last_used_at)
    SELECT * FROM unnest(CAST(:ids AS text[]), CAST(:clients AS text[]), CAST(:versions AS text[]),
                         CAST(:requests AS bigint[]), CAST(:times AS timestamptz[])) ORDER BY 1, 2, 3
    ON CONFLICT (operation_id, client, version) DO UPDATE SET
        requests = persisted_usage.requests + EXCLUDED.requests,
        last_used_at = greatest(persisted_usage.last_used_at, EXCLUDED.last_used_at)
""")
_READ = text("""
    SELECT operation_id, coalesce(name, '') AS name, client, version, coalesce(requests, 0) AS requests, last_used_at
    FROM (
        SELECT client, version, operation_id FROM persisted_version_operations WHERE client <> ''
        UNION SELECT client, version, operation_id FROM persisted_usage
    ) AS pairs
    LEFT JOIN persisted_usage USING (client, version, operation_id)
    LEFT JOIN persisted_operations ON persisted_operations.id = operation_id
    ORDER BY client, version, requests DESC, name, operation_id
""")
_READ_VERSIONS = text("""
    SELECT client, version, operations, coalesce(requests, 0) AS requests, last_used_at, imported_at, withdrawn
    FROM persisted_versions
    JOIN (SELECT client, version, count(*) AS operations FROM persisted_version_operations GROUP BY 1, 2) AS each
    USING (client, version)
    LEFT JOIN (
        SELECT client, version, CAST(sum(requests) AS bigint) AS requests, max(last_used_at) AS last_used_at
        FROM persisted_usage GROUP BY 1, 2
    ) AS used USING (client, version)
    ORDER BY client, imported_at, version
""")


@dataclass(frozen=True, slots=True)
class OperationUsage:
    """How often a version of a client has requested an operation. `id` and `name` are the operation's; `name` is empty
    if the operation was not imported. `last_used_at` is None if this version has never requested it.
    """

    id: str
    name: str
    client: str
    version: str
    requests: int
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True)
class VersionUsage:
    """How many imported operations a version of a client has, and how often it has requested operations. `last_used_at`
    is None if it never has. `withdrawn` is the message for the users of a withdrawn version, else None.
    """

    client: str
    version: str
    operations: int
    requests: int
    last_used_at: datetime | None
    imported_at: datetime
    withdrawn: str | None


class Uses(NamedTuple):
    """How often a version of a client has requested an operation since the last report."""

    operation_id: str
    client: str
    version: str
    requests: int
    last_used_at: datetime


async def add_usage(postgres: Postgres, rows: Iterable[Uses]) -> None:
    """Adds requests to the stored usage. Raises PostgresDown."""
    await postgres.write(_ADD, **columns(rows, "ids", "clients", "versions", "requests", "times"))


async def read_usage(postgres: Postgres) -> list[OperationUsage]:
    """Returns the usage of all operations, by client and version, and for each version most requests first. Includes
    operations that were imported for a version and never requested.
    """
    return [OperationUsage(*row) for row in await postgres.read(_READ)]


async def read_version_usage(postgres: Postgres) -> list[VersionUsage]:
    """Returns the usage of all client versions for which operations were imported: by client, oldest import first."""
    return [VersionUsage(*row) for row in await postgres.read(_READ_VERSIONS)]
