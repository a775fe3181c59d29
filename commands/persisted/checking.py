"""Checks whether an operation can run on this server, and what the operation costs.

The cost depends on the variables of each request. An operation is too expensive only if it exceeds a limit even with
its cheapest variables. The default cost is computed without variables: a page without a default size counts as the
largest page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graphql import GraphQLSchema, ListTypeNode, NamedTypeNode, NonNullTypeNode, OperationDefinitionNode, TypeNode

from commands.persisted.manifests import ManifestOperation
from execution.documents import Documents, Invalid, NoOperation
from execution.limits import ENDLESS, LARGEST, TooCostly

Report = Callable[[int, int], None]
"""A function that is called with two numbers: how many operations have been checked, and how many are to be checked in
all.
"""


@dataclass(frozen=True, slots=True)
class OperationCheck:
    """The result of checking an operation. `problem` is the reason why the operation cannot run, empty if it can.
    `min_cost` is the cost in points with the cheapest variables, `default_cost` the cost without variables; both are
    None if the operation is invalid, or exceeds a limit other than that of its cost. `kind` is `query`, `mutation` or
    `subscription`.
    """

    operation: ManifestOperation
    name: str = ""
    kind: str = ""
    min_cost: int | None = None
    default_cost: int | None = None
    problem: str = ""


def tell_nobody(_done: int, _total: int) -> None:
    """A Report that does nothing."""


def check_all(
    schema: GraphQLSchema, operations: Sequence[ManifestOperation], report: Report = tell_nobody
) -> list[OperationCheck]:
    """Returns the results of checking these operations against the schema of this version. Calls `report` before each
    check.
    """
    results = list[OperationCheck]()
    for operation in operations:
        report(len(results), len(operations))
        results.append(_check(Documents(schema, lambda _: True), operation))
    return results


def _check(documents: Documents, operation: ManifestOperation) -> OperationCheck:
    """Parses, prices and validates an operation as the API does, with the higher limits of trusted documents. Returns
    the result of the check.
    """
    declared = operation.name or "", operation.kind or ""
    try:
        parsed = documents.operation(operation.text, None, None, replace(LARGEST, cost=ENDLESS, mutation_cost=ENDLESS))
    except NoOperation as error:
        return OperationCheck(operation, *declared, problem=f"The text has {error.found} operations, not one.")
    except (TooCostly, Invalid) as error:
        return OperationCheck(operation, *declared, problem=str(error))
    name, kind = parsed.name or "", parsed.node.operation.value
    try:
        min_cost = documents.operation(operation.text, None, _cheapest_variables(parsed.node), LARGEST).price.cost
    except TooCostly as error:
        return OperationCheck(operation, name, kind, error.has, parsed.price.cost, str(error))
    return OperationCheck(operation, name, kind, min_cost, parsed.price.cost, _manifest_mismatch(operation, name, kind))


def _manifest_mismatch(operation: ManifestOperation, name: str, kind: str) -> str:
    for word, declared, actual in (("name", operation.name, name), ("type", operation.kind, kind)):
        if declared is not None and declared != actual:
            return f"The manifest says that its {word} is {declared[:64]!r}, the text says {actual!r}."
    return ""


def _cheapest_variables(definition: OperationDefinitionNode) -> dict[str, Any]:
    """Returns values for all variables of an operation that make its cost as low as possible."""
    return {one.variable.name.value: _cheapest_value(one.type) for one in definition.variable_definitions or ()}


def _cheapest_value(type_: TypeNode) -> Any:
    if isinstance(type_, NonNullTypeNode):
        return _cheapest_value(type_.type)
    if isinstance(type_, ListTypeNode):
        return []
    assert isinstance(type_, NamedTypeNode)
    return 1 if type_.name.value == "Int" else {}
