"""Lists the root fields that an operation calls, before it runs.

Input: a valid operation and its variables. Output: the root fields and their arguments, as Python values that have not
been checked. `@skip` and `@include` are ignored, and fields that merge are listed separately.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from graphql import FieldNode, FragmentDefinitionNode, FragmentSpreadNode, InlineFragmentNode, value_from_ast_untyped

from execution.documents import DocumentOperation


class RootCall(NamedTuple):
    """A call of a root field: the name of the field in the schema, and the arguments."""

    field: str
    arguments: dict[str, Any]


def calls(operation: DocumentOperation, variables: Mapping[str, Any]) -> Iterator[RootCall]:
    """Yields the calls of root fields in an operation, in no particular order. The fields of a fragment are yielded
    once, even if the fragment is spread several times, because they are executed once.
    """
    given = {**_defaults(operation), **variables}
    definitions = operation.document.definitions
    fragments = {node.name.value: node for node in definitions if isinstance(node, FragmentDefinitionNode)}
    left = [operation.node.selection_set]
    while left:
        for selection in left.pop().selections:
            if isinstance(selection, FieldNode):
                yield RootCall(selection.name.value, _arguments(selection, given))
            elif isinstance(selection, InlineFragmentNode):
                left.append(selection.selection_set)
            elif isinstance(selection, FragmentSpreadNode) and (spread := fragments.pop(selection.name.value, None)):
                left.append(spread.selection_set)


def _defaults(operation: DocumentOperation) -> dict[str, Any]:
    declared = operation.node.variable_definitions or ()
    return {one.variable.name.value: value_from_ast_untyped(one.default_value) for one in declared if one.default_value}


def _arguments(field: FieldNode, variables: dict[str, Any]) -> dict[str, Any]:
    return {one.name.value: value_from_ast_untyped(one.value, variables) for one in field.arguments or ()}
