"""Queries from the tests, the README and the explorer, with generated variables."""

import ast
import re
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from graphql import (
    GraphQLInputType,
    GraphQLSyntaxError,
    GraphQLType,
    OperationDefinitionNode,
    TypeNode,
    get_nullable_type,
    is_enum_type,
    is_input_object_type,
    is_list_type,
    is_required_input_field,
    parse,
    type_from_ast,
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
    known = type_from_ast(schema.graphql_core, type_)
    assert known
    return _value_of(name, get_nullable_type(cast("GraphQLInputType", known)), executors)


def _value_of(name: str, type_: GraphQLType, executors: ComparedExecutors) -> Any:
    """Returns a value of an input type. An input object has only its required fields."""
    if is_list_type(type_):
        inner = get_nullable_type(type_.of_type)
        if is_input_object_type(inner):
            return [_value_of(name, inner, executors)]
        return executors.ids if "id" in name.lower() else [*executors.keys, "alice", "bob"]
    if is_enum_type(type_):
        return next(iter(type_.values))
    if is_input_object_type(type_):
        return {
            key: _value_of(key, get_nullable_type(one.type), executors)
            for key, one in type_.fields.items()
            if is_required_input_field(one)
        }
    by_kind = {"ID": executors.ids[0], "Int": 2, "Boolean": True, "DateTime": "2026-01-01T00:00:00Z"}
    return by_kind.get(str(type_), _text(name, executors))


def _text(name: str, executors: ComparedExecutors) -> str:
    return {"key": "v0", "business": "video", "b": "video", "handle": "alice", "after": executors.cursors[0]}.get(
        name, "v1"
    )
