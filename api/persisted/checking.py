"""Checks whether an operation can run on this server, and at what price.

The price depends on the variables of each request. An operation fails the check only if even its smallest variables
exceed a limit. The shown price is that without variables, where a page without a default counts as the largest.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from graphql import ListTypeNode, NamedTypeNode, NonNullTypeNode, OperationDefinitionNode, TypeNode
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from api.persisted.manifests import ManifestOperation
from execution.documents import Documents, Invalid, NoOperation
from execution.limits import ENDLESS, LARGEST, Limits, TooCostly
from schema import schema


@dataclass(frozen=True, slots=True)
class OperationCheck:
    """The result of checking an operation. `problem` is the reason why it cannot run. `least` is its cost with the
    smallest variables, `unset` its cost with its defaults.
    """

    operation: ManifestOperation
    name: str = ""
    kind: str = ""
    least: int | None = None
    unset: int | None = None
    problem: str = ""


def judge_all(operations: Iterable[ManifestOperation]) -> list[OperationCheck]:
    """Checks each operation."""
    return [judge(operation) for operation in operations]


def judge(operation: ManifestOperation) -> OperationCheck:
    """Parses, prices and validates an operation as the API does."""
    documents = Documents(schema._schema, lambda _: True)
    declared = operation.name or "", operation.kind or ""
    try:
        unset = documents.operation(operation.text, None, None, replace(LARGEST, cost=ENDLESS))
    except NoOperation as error:
        return OperationCheck(operation, *declared, problem=f"The text has {error.found} operations, not one.")
    except (TooCostly, Invalid) as error:
        return OperationCheck(operation, *declared, problem=str(error))
    name, kind = unset.name or "", unset.node.operation.value
    try:
        least = documents.operation(operation.text, None, _smallest(unset.node), LARGEST).price.cost
    except TooCostly as error:
        return OperationCheck(operation, name, kind, error.has, unset.price.cost, str(error))
    return OperationCheck(operation, name, kind, least, unset.price.cost, _contradiction(operation, name, kind))


def _contradiction(operation: ManifestOperation, name: str, kind: str) -> str:
    for word, declared, is_ in (("name", operation.name, name), ("type", operation.kind, kind)):
        if declared is not None and declared != is_:
            return f"The manifest says that its {word} is {declared[:64]!r}, the text says {is_!r}."
    return ""


def _smallest(definition: OperationDefinitionNode) -> dict[str, Any]:
    """Returns the values of an operation's variables with which it costs least."""
    return {one.variable.name.value: _least(one.type) for one in definition.variable_definitions or ()}


def _least(type_: TypeNode) -> Any:
    if isinstance(type_, NonNullTypeNode):
        return _least(type_.type)
    if isinstance(type_, ListTypeNode):
        return []
    assert isinstance(type_, NamedTypeNode)
    return 1 if type_.name.value == "Int" else {}


def plain(verdict: OperationCheck) -> dict[str, Any]:
    """Returns the result as JSON. `leastCost` is the cost with the smallest variables, `cost` the cost without
    variables.
    """
    return {
        "id": verdict.operation.id,
        "name": verdict.name,
        "type": verdict.kind,
        "source": verdict.operation.source,
        "leastCost": verdict.least,
        "cost": verdict.unset,
        "problem": verdict.problem or None,
    }


def show(verdicts: Iterable[OperationCheck]) -> None:
    """Prints a table of operations."""
    table = Table("id", "name", "type", "source", "cost", "problem")
    for column in table.columns:
        column.overflow = "fold"
    for one in verdicts:
        cells = one.operation.id, one.name, one.kind, one.operation.source, _cost(one)
        table.add_row(*map(escape, cells), f"[red]{escape(one.problem)}")
    Console().print(table)


def _cost(verdict: OperationCheck) -> str:
    if verdict.unset is None:
        return ""
    limit = Limits().cost
    unset = f"{verdict.unset} (of {limit})" if verdict.unset > limit else str(verdict.unset)
    return unset if verdict.least == verdict.unset else f"{verdict.least} to {unset}"
