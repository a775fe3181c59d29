"""Versions of clients, the imported operations that they use, and the versions and operations that are withdrawn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text

from store.postgres.client import Postgres, Transaction

_INSERT_VERSION = text("""
    INSERT INTO persisted_versions (client, version) VALUES (:client, :version)
    ON CONFLICT (client, version) DO UPDATE SET imported_at = EXCLUDED.imported_at
""")
_INSERT_OPERATIONS = text("""
    INSERT INTO persisted_version_operations (client, version, operation_id)
    SELECT :client, :version, unnest(CAST(:ids AS text[])) ON CONFLICT DO NOTHING
""")
_READ = text("SELECT client, version, imported_at, withdrawn FROM persisted_versions")
_READ_WITHDRAWN = text("SELECT operation_id, message FROM persisted_withdrawals")
# The operations of withdrawn versions that no other version has, with the message of their newest version.
_READ_RETIRED = text("""
    SELECT operation_id, (array_agg(withdrawn ORDER BY imported_at DESC))[1] AS message
    FROM persisted_version_operations JOIN persisted_versions USING (client, version)
    WHERE operation_id IN (
        SELECT operation_id FROM persisted_version_operations JOIN persisted_versions USING (client, version)
        WHERE withdrawn IS NOT NULL
    )
    GROUP BY operation_id HAVING bool_and(withdrawn IS NOT NULL)
""")
_WITHDRAW_VERSION = text("""
    UPDATE persisted_versions SET withdrawn = :message WHERE client = :client AND version = :version
""")
_WITHDRAW_OPERATION = text("""
    INSERT INTO persisted_withdrawals (operation_id, message) VALUES (:id, :message)
    ON CONFLICT (operation_id) DO UPDATE SET message = EXCLUDED.message
""")
_RESTORE_OPERATION = text("DELETE FROM persisted_withdrawals WHERE operation_id = ANY(CAST(:ids AS text[]))")


@dataclass(frozen=True, slots=True)
class ImportedVersion:
    """A version of a client for which operations were imported. `withdrawn` is the message for its users if the version
    is withdrawn, else None. Operations that were imported without a client belong to a version whose `client` and
    `version` are empty.
    """

    client: str
    version: str
    imported_at: datetime
    withdrawn: str | None


async def read_versions(postgres: Postgres) -> list[ImportedVersion]:
    """Returns all versions of all clients for which operations were imported."""
    return [ImportedVersion(*row) for row in await postgres.read(_READ)]


async def read_withdrawn(postgres: Postgres) -> dict[str, str]:
    """Returns the operations that were withdrawn by their id: the message for their users, by operation id. Leaves out
    operations that are only withdrawn because their versions are (`read_retired`).
    """
    return {row.operation_id: row.message for row in await postgres.read(_READ_WITHDRAWN)}


async def read_retired(postgres: Postgres) -> dict[str, str]:
    """Returns the imported operations that only withdrawn versions of clients use: by operation id, the message of the
    newest of these versions.
    """
    return {row.operation_id: row.message for row in await postgres.read(_READ_RETIRED)}


async def write_versions(transaction: Transaction, client: str, versions: Iterable[str], ids: Sequence[str]) -> None:
    """Stores that these versions of a client use the imported operations with these ids, and were imported now."""
    for version in versions:
        await transaction.changed(_INSERT_VERSION, client=client, version=version)
        await transaction.changed(_INSERT_OPERATIONS, client=client, version=version, ids=list(ids))


async def set_version_withdrawn(transaction: Transaction, client: str, version: str, message: str | None) -> bool:
    """Withdraws a version with a message, or restores it if the message is None. Returns False if nothing was imported
    for the version.
    """
    return await transaction.changed(_WITHDRAW_VERSION, client=client, version=version, message=message) > 0


async def withdraw_operation(transaction: Transaction, identifier: str, message: str) -> None:
    """Withdraws the operation with this id, or changes the message of a withdrawn operation."""
    await transaction.changed(_WITHDRAW_OPERATION, id=identifier, message=message)


async def restore_operation(transaction: Transaction, ids: Sequence[str]) -> bool:
    """Restores a withdrawn operation, given by all its ids. Returns False if it was not withdrawn under any of them."""
    return await transaction.changed(_RESTORE_OPERATION, ids=list(ids)) > 0
