"""`plaudit persisted list`, `usage` and `versions`: read the persisted operations, how often they are requested, and
which are withdrawn, and convert them to JSON or tables.
"""

from collections.abc import Iterable
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from rich.markup import escape
from rich.table import Table

from api.persisted.checking import OperationCheck, Report, check_all
from api.persisted.manifests import read_all
from api.persisted.registry import Registry
from api.persisted.withdrawals import Withdrawals
from api.persisted.withdrawing import known_operations, read_operations
from settings import Settings
from state import opened
from store.persisted.usage import OperationUsage, VersionUsage, read_usage, read_version_usage


async def list_operations(settings: Settings, report: Report) -> list[OperationCheck]:
    """Checks all imported operations, oldest first, then all operations of the configured manifests. Returns the
    results of the checks in this order. If an operation is withdrawn, its problem is the message of the withdrawal.
    Calls `report` before each check. Raises ManifestError if a configured manifest is invalid or contradicts another
    one.
    """
    async with opened(settings, "persisted", makes_ids=False) as state:
        imports, manifests = await read_operations(state.postgres), read_all(settings.manifests)
        withdrawals = Withdrawals(state.postgres)
        await withdrawals.refresh()
    known = known_operations(manifests, imports)
    return [_with_withdrawal(one, known, withdrawals) for one in check_all([*imports, *manifests], report)]


def _with_withdrawal(result: OperationCheck, known: Registry, withdrawals: Withdrawals) -> OperationCheck:
    operation = known.operations.get(result.operation.text)
    message = withdrawals.operation_message(operation) if operation else None
    return result if message is None else replace(result, problem=f"Withdrawn: {message}")


async def read_operation_usage(settings: Settings, client: str | None, version: str | None) -> list[OperationUsage]:
    """Returns the use of each operation by each version of each client: the number of requests, and the time of the
    last request. If `client` or `version` is not None, returns only the use by this client or version.
    """
    async with opened(settings, "persisted", makes_ids=False) as state:
        rows = await read_usage(state.postgres)
    return [row for row in rows if client in (None, row.client) and version in (None, row.version)]


async def read_versions(settings: Settings) -> list[VersionUsage]:
    """Returns the imported versions of all clients, each with its number of requests and the time of the last one."""
    async with opened(settings, "persisted", makes_ids=False) as state:
        return await read_version_usage(state.postgres)


def to_json(row: OperationUsage | VersionUsage) -> dict[str, Any]:
    """Returns the use of an operation or of a version as JSON. Names are in camel case, times in ISO 8601."""
    return {
        _camel(name): value.isoformat() if isinstance(value, datetime) else value for name, value in asdict(row).items()
    }


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


def table_of_operations(rows: Iterable[OperationUsage]) -> Table:
    """Returns the use of operations as a table for the terminal."""
    table = _table("id", "name", "client", "version", "requests", "last used")
    for row in rows:
        table.add_row(
            *map(escape, (row.id, row.name, row.client, row.version)), str(row.requests), _time(row.last_used_at)
        )
    return table


def table_of_versions(rows: Iterable[VersionUsage]) -> Table:
    """Returns the imported versions and their use as a table for the terminal."""
    table = _table("client", "version", "operations", "requests", "last used", "withdrawn")
    for row in rows:
        counts = str(row.operations), str(row.requests), _time(row.last_used_at)
        table.add_row(escape(row.client), escape(row.version), *counts, f"[red]{escape(row.withdrawn or '')}")
    return table


def _table(*names: str) -> Table:
    table = Table(*names)
    for column in table.columns:
        column.overflow = "fold"
    return table


def _time(time: datetime | None) -> str:
    return time.isoformat(" ", "seconds") if time else "never"
