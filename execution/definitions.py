"""Finds which fields, fragments and variables in directives the operations and fragments of a valid document have."""

from collections.abc import Callable
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLSchema,
    OperationDefinitionNode,
    TypeInfo,
    TypeInfoVisitor,
    VariableNode,
    Visitor,
    visit,
)


class Contents:
    """The contents of one operation or fragment: its watched fields (those that `is_watched` of `Definitions` accepts),
    as coordinates such as `Query.viewer`; the names of the variables in its directives (`decisive`); the number of its
    fields; and the names of the fragments that it spreads.
    """

    __slots__ = ("decisive", "fields", "spreads", "watched")

    def __init__(self) -> None:
        self.watched: set[str] = set()
        self.decisive: set[str] = set()
        self.fields = 0
        self.spreads: set[str] = set()


class Definitions(Visitor):
    """Finds the contents of each operation and fragment of a valid document. The attribute `is_personal` tells whether
    any field of the document depends on the viewer. The parameter `is_personal` tells this for one field; `is_watched`
    tells whether the field with this type and name is watched, so that `Contents.watched` lists it.
    """

    def __init__(
        self,
        schema: GraphQLSchema,
        document: DocumentNode,
        is_personal: Callable[[GraphQLField], bool],
        is_watched: Callable[[str, str], bool],
    ) -> None:
        super().__init__()
        self.is_personal = False
        self._operations: dict[str | None, Contents] = {}
        self._fragments: dict[str, Contents] = {}
        self._at = Contents()
        self._directives = 0
        self._found_personal = is_personal
        self._is_watched = is_watched
        self._info = TypeInfo(schema)
        visit(document, TypeInfoVisitor(self._info, self))

    def operation(self, name: str | None) -> Contents:
        """Returns the contents of an operation together with those of all fragments that it reaches. `fields` counts
        the fields of the operation and of all fragments of the document, even of fragments that the operation does not
        reach.
        """
        found, left = Contents(), [self._operations[name]]
        found.fields = self._operations[name].fields + sum(one.fields for one in self._fragments.values())
        while left:
            definition = left.pop()
            found.watched |= definition.watched
            found.decisive |= definition.decisive
            left += [self._fragments[name] for name in definition.spreads - found.spreads]
            found.spreads |= definition.spreads
        return found

    def enter_operation_definition(self, node: OperationDefinitionNode, *_: Any) -> None:
        self._at = self._operations[node.name.value if node.name else None] = Contents()

    def enter_fragment_definition(self, node: FragmentDefinitionNode, *_: Any) -> None:
        self._at = self._fragments[node.name.value] = Contents()

    def enter_fragment_spread(self, node: FragmentSpreadNode, *_: Any) -> None:
        self._at.spreads.add(node.name.value)

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        field, parent = self._info.get_field_def(), self._info.get_parent_type()
        self.is_personal = self.is_personal or bool(field and self._found_personal(field))
        self._at.fields += 1
        if parent and self._is_watched(parent.name, node.name.value):
            self._at.watched.add(f"{parent.name}.{node.name.value}")

    def enter_directive(self, *_: Any) -> None:
        self._directives += 1

    def leave_directive(self, *_: Any) -> None:
        self._directives -= 1

    def enter_variable(self, node: VariableNode, *_: Any) -> None:
        if self._directives:
            self._at.decisive.add(node.name.value)
