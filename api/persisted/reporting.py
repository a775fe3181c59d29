"""`plaudit persisted usage` and `versions`: print what was requested, by operation, client and version."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from settings import Settings
from state import opened
from store.persisted.usage import OperationUsage, VersionUsage, read_usage, read_version_usage


async def read_operations(settings: Settings, client: str | None, version: str | None) -> list[OperationUsage]:
    """Returns how often each version of a client has requested each operation; all clients and versions by default."""
    async with opened(settings, "persisted", makes_ids=False) as state:
        rows = await read_usage(state.postgres)
    return [row for row in rows if client in (None, row.client) and version in (None, row.version)]


async def read_versions(settings: Settings) -> list[VersionUsage]:
    """Returns the imported versions of all clients, with their use."""
    async with opened(settings, "persisted", makes_ids=False) as state:
        return await read_version_usage(state.postgres)


def to_json(row: OperationUsage | VersionUsage) -> dict[str, Any]:
    """Returns a row as JSON. Times are in ISO 8601."""
    return {
        _camel(name): value.isoformat() if isinstance(value, datetime) else value for name, value in asdict(row).items()
    }


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


def print_operations(rows: Iterable[OperationUsage]) -> None:
    """Prints the use of operations as a table."""
    table = _table("id", "name", "client", "version", "requests", "last used")
    for row in rows:
        table.add_row(
            *map(escape, (row.id, row.name, row.client, row.version)), str(row.requests), _time(row.last_used_at)
        )
    Console().print(table)


def print_versions(rows: Iterable[VersionUsage]) -> None:
    """Prints the imported versions as a table."""
    table = _table("client", "version", "operations", "requests", "last used", "withdrawn")
    for row in rows:
        counts = str(row.operations), str(row.requests), _time(row.last_used_at)
        table.add_row(escape(row.client), escape(row.version), *counts, f"[red]{escape(row.withdrawn or '')}")
    Console().print(table)


def _table(*names: str) -> Table:
    table = Table(*names)
    for column in table.columns:
        column.overflow = "fold"
    return table


def _time(time: datetime | None) -> str:
    return time.isoformat(" ", "seconds") if time else "never"
