"""Persisted operations for `plaudit persisted`: through the stores, or through the administration API."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from commands.persisted import importing, reporting, withdrawing
from commands.persisted.checking import OperationCheck, Report, check_all, tell_nobody
from commands.persisted.manifests import ManifestOperation, read_all
from schema import schema
from settings import Settings
from state import State, opened
from store.persisted.usage import OperationUsage, VersionUsage, read_usage, read_version_usage

T = TypeVar("T")


class Operations(Protocol):
    """The persisted operations of a system."""

    def check(self, operations: Sequence[ManifestOperation], report: Report) -> list[OperationCheck]:
        """Returns the results of checking these operations. Calls `report` while it checks."""

    def import_operations(
        self, operations: Sequence[ManifestOperation], client: str, versions: Sequence[str], report: Report
    ) -> tuple[int, int]:
        """Imports operations for versions of a client. If `client` is empty, they belong to no client. Returns the
        numbers of new and of already imported operations. Raises ManifestError or ImportRefused.
        """

    def change_operations(self, ids: Sequence[str], message: str | None) -> None:
        """Withdraws operations with a message, or restores them if the message is None."""

    def change_versions(self, client: str, versions: Sequence[str], message: str | None) -> None:
        """Withdraws versions of a client with a message, or restores them if the message is None."""

    def usage(self, client: str | None, version: str | None) -> list[OperationUsage]:
        """Returns the use of each operation by each version of each client, or of this client and version alone."""

    def versions(self) -> list[VersionUsage]:
        """Returns the versions of clients for which operations were imported."""

    def every(self, report: Report) -> list[OperationCheck]:
        """Returns the results of checking all imported operations and those of the configured manifests."""


def checked_here(operations: Sequence[ManifestOperation], report: Report) -> list[OperationCheck]:
    """Returns the results of checking these operations against the schema of this version."""
    return check_all(schema.graphql_core, operations, report)


class StoredOperations:
    """The persisted operations in the stores that the settings name."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def check(self, operations: Sequence[ManifestOperation], report: Report) -> list[OperationCheck]:
        return checked_here(operations, report)

    def import_operations(
        self, operations: Sequence[ManifestOperation], client: str, versions: Sequence[str], report: Report
    ) -> tuple[int, int]:
        core = schema.graphql_core
        return self._run(
            lambda state: importing.import_operations(state.postgres, core, operations, client, versions, report=report)
        )

    def change_operations(self, ids: Sequence[str], message: str | None) -> None:
        manifests = read_all(self._settings.manifests)
        self._run(lambda state: withdrawing.change_operations(state.postgres, manifests, ids, message))

    def change_versions(self, client: str, versions: Sequence[str], message: str | None) -> None:
        self._run(lambda state: withdrawing.change_versions(state.postgres, client, versions, message))

    def usage(self, client: str | None, version: str | None) -> list[OperationUsage]:
        rows = self._run(lambda state: read_usage(state.postgres))
        return [row for row in rows if client in (None, row.client) and version in (None, row.version)]

    def versions(self) -> list[VersionUsage]:
        return self._run(lambda state: read_version_usage(state.postgres))

    def every(self, report: Report) -> list[OperationCheck]:
        manifests = read_all(self._settings.manifests)
        found = self._run(lambda state: reporting.list_operations(state.postgres, manifests))
        return reporting.checked(schema.graphql_core, found, report)

    def _run(self, run: Callable[[State], Coroutine[Any, Any, T]]) -> T:
        async def with_state() -> T:
            async with opened(self._settings, "persisted", makes_ids=False) as state:
                return await run(state)

        return asyncio.run(with_state())


def import_manifests(
    settings: Settings,
    files: Iterable[Path],
    client: str = "",
    versions: Sequence[str] = ("",),
    *,
    report: Report = tell_nobody,
) -> str:
    """Imports the operations of manifests into the stores. Returns what `told` returns."""
    return told(*StoredOperations(settings).import_operations(read_all(files), client, versions, report))


def told(new: int, known: int) -> str:
    """Returns a sentence with the numbers of new and of already imported operations."""
    return f"New: {new}. Already imported: {known}."
