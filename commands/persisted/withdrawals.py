"""The imported versions of clients, and the operations and versions that an operator has withdrawn, in the memory of a
process. Requests for withdrawn operations, or from withdrawn versions, are refused with the message of the withdrawal.

A process reads all this from Postgres in the background. So a request costs no query, and a withdrawal takes effect a
few seconds later. While Postgres is down, the process uses what it read last.
"""

from commands.persisted.registry import TrustedOperation
from store.persisted.versions import ImportedVersion, read_retired, read_versions, read_withdrawn
from store.postgres.client import Postgres

UNNAMED = "none"
"""Stands for the client and the version of requests that state no client."""
OTHER = "other"
"""Stands for a client or version for which nothing was imported."""


class Withdrawals:
    """The imported versions of clients, and the operations and versions that an operator has withdrawn. Requests for
    them are refused.
    """

    def __init__(self, postgres: Postgres) -> None:
        self._postgres = postgres
        self._rows: list[ImportedVersion] = []
        self._versions: dict[str, dict[str, str | None]] = {}
        """The versions of each client. The value of a version is the message of its withdrawal, or None if it is not
        withdrawn.
        """
        self._withdrawn: dict[str, str] = {}
        """The messages of operations that were withdrawn by their ids, by id."""
        self._retired: dict[str, str] = {}
        """The messages of imported operations that only withdrawn versions of clients use, by id."""

    async def refresh(self) -> None:
        """Reads from Postgres the imported versions, and which operations and versions are withdrawn. Raises
        PostgresDown or DBAPIError.
        """
        self._withdrawn = await read_withdrawn(self._postgres)
        rows = await read_versions(self._postgres)
        if rows == self._rows:
            return
        is_any_withdrawn = any(row.withdrawn is not None for row in rows)
        self._retired = await read_retired(self._postgres) if is_any_withdrawn else {}
        versions: dict[str, dict[str, str | None]] = {}
        for row in rows:
            if row.client:
                versions.setdefault(row.client, {})[row.version] = row.withdrawn
        self._rows, self._versions = rows, versions

    def known(self, client: str, version: str) -> tuple[str, str]:
        """Returns the client and version under which requests of this client are counted. A client or version for which
        nothing was imported is counted as `other`, because clients can state anything; no client is counted as `none`.
        """
        if not client:
            return UNNAMED, UNNAMED
        versions = self._versions.get(client)
        if versions is None:
            return OTHER, OTHER
        return client, version if version in versions else OTHER

    def version_message(self, client: str, version: str) -> str | None:
        """Returns the message for requests of this version of a client if the version is withdrawn, otherwise None."""
        return self._versions.get(client, {}).get(version)

    def operation_message(self, operation: TrustedOperation) -> str | None:
        """Returns the message for requests of an operation that is withdrawn, or that only withdrawn versions of
        clients use; otherwise None.
        """
        for identifier in operation.ids:
            if identifier in self._withdrawn:
                return self._withdrawn[identifier]
        if self._retired and all(identifier in self._retired for identifier in operation.ids):
            return self._retired[operation.ids[0]]
        return None
