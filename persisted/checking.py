"""Whether an operation could run here, and at what price.

What an operation costs depends on its variables, and each request is priced with its own. So it fails here only where
even the smallest leave it beyond a limit; what it costs without any (a page without a default is the largest) is shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    ListTypeNode,
    NamedTypeNode,
    NonNullTypeNode,
    OperationDefinitionNode,
    TypeNode,
    parse,
    validate,
)
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from execution.cost import Cyclic, Limits, Price, TooCostly, check, check_text, price
from persisted.manifests import ManifestOperation
from schema import schema

_SCHEMA = schema._schema


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became known of an operation. `problem` says why it cannot run.

    `least` is its cost with the smallest variables, `unset` with none: by their defaults.
    """

    operation: ManifestOperation
    name: str = ""
    kind: str = ""
    least: int | None = None
    unset: int | None = None
    problem: str = ""


def judge_all(operations: Iterable[ManifestOperation]) -> list[Verdict]:
    """A verdict on each."""
    return [judge(operation) for operation in operations]


def judge(operation: ManifestOperation) -> Verdict:
    """Parses, validates and prices an operation."""
    limits = Limits()
    try:
        check_text(operation.text, limits)
        document = parse(operation.text)
    except (TooCostly, GraphQLError, RecursionError) as error:
        return Verdict(operation, operation.name or "", operation.kind or "", problem=_message(error))
    definitions = [node for node in document.definitions if isinstance(node, OperationDefinitionNode)]
    if len(definitions) != 1:
        return Verdict(operation, problem=f"The text has {len(definitions)} operations, not one.")
    (definition,) = definitions
    name, kind = definition.name.value if definition.name else "", definition.operation.value
    try:
        unset = price(_SCHEMA, document, None, None)
        least = price(_SCHEMA, document, None, _smallest(definition))
        problem = _problem(operation, name, kind, document, least)
    except (Cyclic, RecursionError) as error:
        return Verdict(operation, name, kind, problem=_message(error))
    return Verdict(operation, name, kind, least.cost, unset.cost, problem)


def _problem(operation: ManifestOperation, name: str, kind: str, document: DocumentNode, least: Price) -> str:
    for word, told, is_ in (("name", operation.name, name), ("type", operation.kind, kind)):
        if told is not None and told != is_:
            return f"The manifest says that its {word} is {told[:64]!r}, the text says {is_!r}."
    try:
        check(least, Limits())
    except TooCostly as error:
        return _message(error)
    errors = validate(_SCHEMA, document)
    return _message(errors[0]) if errors else ""


def _message(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "The document is nested too deeply."
    return error.message if isinstance(error, GraphQLError) else str(error)


def _smallest(definition: OperationDefinitionNode) -> dict[str, Any]:
    """Values for an operation's variables with which it costs as little as it can."""
    return {one.variable.name.value: _least(one.type) for one in definition.variable_definitions or ()}


def _least(type_: TypeNode) -> Any:
    if isinstance(type_, NonNullTypeNode):
        return _least(type_.type)
    if isinstance(type_, ListTypeNode):
        return []
    assert isinstance(type_, NamedTypeNode)
    return 1 if type_.name.value == "Int" else {}


def show(verdicts: Iterable[Verdict]) -> None:
    """Prints a table of operations."""
    table = Table("id", "name", "type", "source", "cost", "problem")
    for column in table.columns:
        column.overflow = "fold"
    for one in verdicts:
        cells = one.operation.id, one.name, one.kind, one.operation.source, _cost(one)
        table.add_row(*map(escape, cells), f"[red]{escape(one.problem)}")
    Console().print(table)


def _cost(verdict: Verdict) -> str:
    if verdict.unset is None:
        return ""
    limit = Limits().cost
    unset = f"{verdict.unset} (of {limit})" if verdict.unset > limit else str(verdict.unset)
    return unset if verdict.least == verdict.unset else f"{verdict.least} to {unset}"
