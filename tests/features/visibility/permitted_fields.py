"""Reduces a document to the fields that a restricted token may use."""

from collections.abc import Collection
from functools import cache
from typing import Any

from graphql import FieldNode, NameNode, TypeInfo, TypeInfoVisitor, VariableNode, Visitor, visit
from graphql import parse as parsed
from graphql import print_ast as printed

from domain.errors import Forbidden
from identity import permissions
from schema import RULES
from tests.support.schema_paths import SCHEMA


@cache
def permitted(query: str, businesses: frozenset[str]) -> tuple[str, frozenset[str]]:
    """Returns the document with `__typename` instead of every refused field, and the variables that are still used."""
    info = TypeInfo(SCHEMA)
    document = visit(parsed(query), TypeInfoVisitor(info, _Replace(info, businesses)))
    visit(document, used := _Used())
    return printed(visit(document, _Drop(used.names))), frozenset(used.names)


class _Replace(Visitor):
    def __init__(self, info: TypeInfo, businesses: Collection[str]) -> None:
        super().__init__()
        self._info, self._businesses = info, businesses

    def enter_field(self, node: FieldNode, *_: Any) -> Any:
        parent = self._info.get_parent_type()
        if parent and permissions.is_ruled(RULES, parent.name, node.name.value):
            try:
                permissions.check_fields(RULES, [f"{parent.name}.{node.name.value}"], self._businesses)
            except Forbidden:
                return FieldNode(
                    alias=node.alias or node.name, name=NameNode(value="__typename"), arguments=(), directives=()
                )
        return None


class _Used(Visitor):
    """Finds the variables that are used, not those that are only defined."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_variable_definition(self, *_: Any) -> Any:
        return self.SKIP

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        self.names.add(node.name.value)


class _Drop(Visitor):
    def __init__(self, used: Collection[str]) -> None:
        super().__init__()
        self._used = used

    def enter_variable_definition(self, node: Any, *_: Any) -> Any:
        return None if node.variable.name.value in self._used else self.REMOVE
