"""Persisted operations, their use and the versions of clients, as JSON and as tables for the terminal."""

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from execution.limits import Limits

if TYPE_CHECKING:
    from commands.persisted.checking import OperationCheck
    from store.persisted.usage import OperationUsage, VersionUsage


def check_to_json(result: "OperationCheck") -> dict[str, Any]:
    """Returns the result of a check as JSON. `leastCost` is the cost with the cheapest variables, `cost` the cost
    without variables, `problem` null if the operation can run.
    """
    return {
        "id": result.operation.id,
        "name": result.name,
        "type": result.kind,
        "source": result.operation.source,
        "leastCost": result.min_cost,
        "cost": result.default_cost,
        "problem": result.problem or None,
    }


def table_of_checks(results: "Iterable[OperationCheck]") -> Table:
    """Returns the results of checks as a table for the terminal, with one row for each operation."""
    table = _table("id", "name", "type", "source", "cost", "problem")
    for one in results:
        cells = one.operation.id, one.name, one.kind, one.operation.source, _cost(one)
        table.add_row(*map(escape, cells), f"[red]{escape(one.problem)}")
    return table


def _cost(result: "OperationCheck") -> str:
    if result.default_cost is None:
        return ""
    limit = Limits().cost
    default_cost = f"{result.default_cost} (of {limit})" if result.default_cost > limit else str(result.default_cost)
    return default_cost if result.min_cost == result.default_cost else f"{result.min_cost} to {default_cost}"


def usage_to_json(row: "OperationUsage | VersionUsage") -> dict[str, Any]:
    """Returns the use of an operation or of a version as JSON. Names are in camel case, times in ISO 8601
    with milliseconds, as in the API.
    """
    return {
        _camel(name): value.isoformat(timespec="milliseconds") if isinstance(value, datetime) else value
        for name, value in asdict(row).items()
    }


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


def table_of_usage(rows: "Iterable[OperationUsage]") -> Table:
    """Returns the use of operations as a table for the terminal."""
    table = _table("id", "name", "client", "version", "requests", "last used")
    for row in rows:
        table.add_row(
            *map(escape, (row.id, row.name, row.client, row.version)), str(row.requests), _time(row.last_used_at)
        )
    return table


def table_of_versions(rows: "Iterable[VersionUsage]") -> Table:
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
