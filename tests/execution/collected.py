"""Queries from the tests, the README and the explorer, with generated variables."""

import ast
import re
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

from graphql import (
    GraphQLSyntaxError,
    ListTypeNode,
    NonNullTypeNode,
    OperationDefinitionNode,
    TypeNode,
    is_enum_type,
    is_input_object_type,
    parse,
    validate,
)

from schema import schema
from tests.execution.compared_executors import ComparedExecutors, Comparison
from tests.execution.generating import MOVING

ROOT = Path(__file__).parent.parent.parent


@cache
def stored_queries() -> tuple[str, ...]:
    """Returns documents with one query that this schema can execute and whose result is repeatable."""
    found = {
        text for text in set(_texts()) if "{" in text and _is_query(text) and not any(name in text for name in MOVING)
    }
    return tuple(sorted(found))


def variables_for(query: str, executors: ComparedExecutors) -> dict[str, Any]:
    """Returns a value for each variable of a query."""
    (operation,) = _operations(query)
    return {
        one.variable.name.value: _value(one.variable.name.value, one.type, executors)
        for one in operation.variable_definitions or ()
    }


async def stored(executors: ComparedExecutors) -> AsyncIterator[Comparison]:
    """Yields the comparison of every query of the tests and the documentation, for both viewers."""
    for query in stored_queries():
        for viewer in (None, "alice"):
            yield await executors.compare(query, viewer, **variables_for(query, executors))


def _texts() -> list[str]:
    found: list[str] = []
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if path.parent.name != "execution":
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found += [
                one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
    found += re.findall(r"```graphql\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    found += re.findall(r"`([^`]*)`", (ROOT / "web" / "assets" / "examples.js").read_text(encoding="utf-8"))
    return found


def _is_query(text: str) -> bool:
    try:
        operations = _operations(text)
    except GraphQLSyntaxError:
        return False
    return (
        len(operations) == 1
        and operations[0].operation.value == "query"
        and not validate(schema.graphql_core, parse(text))
    )


def _operations(text: str) -> list[OperationDefinitionNode]:
    return [one for one in parse(text).definitions if isinstance(one, OperationDefinitionNode)]


def _value(name: str, type_: TypeNode, executors: ComparedExecutors) -> Any:
    if isinstance(type_, NonNullTypeNode):
        type_ = type_.type
    if isinstance(type_, ListTypeNode):
        return executors.ids if "id" in name.lower() else [*executors.keys, "alice", "bob"]
    kind = type_.name.value  # type: ignore[attr-defined]
    known = schema.graphql_core.get_type(kind)
    if is_enum_type(known):
        return next(iter(known.values))
    if is_input_object_type(known):
        return {}
    by_kind = {"ID": executors.ids[0], "Int": 2, "Boolean": True, "DateTime": "2026-01-01T00:00:00Z"}
    return by_kind.get(kind, _text(name, executors))


def _text(name: str, executors: ComparedExecutors) -> str:
    return {"key": "v0", "business": "video", "b": "video", "handle": "alice", "after": executors.cursors[0]}.get(
        name, "v1"
    )
