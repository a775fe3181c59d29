"""The fields of the schema that lead to posts and comments, and the fields that led to them in a response."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    build_schema,
    get_named_type,
    is_abstract_type,
    parse,
)

from schema import schema

SCHEMA: GraphQLSchema = build_schema(schema.as_str())
THINGS = frozenset({"Post", "Comment"})
"""The types whose objects can be hidden."""


@cache
def kinds(name: str, things: frozenset[str] = THINGS) -> frozenset[str]:
    """Returns the things that an object of a type can be, or, if the type has no id, can hold: page, edge, event."""
    return _kinds(SCHEMA.type_map[name], things, frozenset())


def _kinds(type_: GraphQLNamedType, things: frozenset[str], above: frozenset[str]) -> frozenset[str]:
    if is_abstract_type(type_):
        return things & {possible.name for possible in SCHEMA.get_possible_types(type_)}
    if not isinstance(type_, GraphQLObjectType) or type_.name in above:
        return frozenset()
    if "id" in type_.fields:
        return things & {type_.name}
    held = [_kinds(get_named_type(field.type), things, above | {type_.name}) for field in type_.fields.values()]
    return frozenset().union(*held)


def leading_fields(root: str, things: frozenset[str] = THINGS) -> dict[str, frozenset[str]]:
    """Returns the fields below a root type that lead to things, as `Type.field`, with the types of these things."""
    found: dict[str, frozenset[str]] = {}
    seen, left = {root}, [root]
    while left:
        type_ = SCHEMA.type_map[left.pop()]
        if isinstance(type_, GraphQLObjectType):
            for name, field in type_.fields.items():
                found[f"{type_.name}.{name}"] = kinds(get_named_type(field.type).name, things)
        new = {possible.name for possible in _next_to(type_)} - seen
        seen |= new
        left += new
    return {coordinate: types for coordinate, types in found.items() if types}


def _next_to(type_: GraphQLNamedType) -> Iterator[GraphQLNamedType]:
    if isinstance(type_, GraphQLObjectType):
        yield from (get_named_type(field.type) for field in type_.fields.values())
    elif isinstance(type_, GraphQLInterfaceType):
        yield from SCHEMA.get_possible_types(type_)


@dataclass(frozen=True)
class FoundNode:
    """An object with an id in an answer: its value, the path of its keys, and the fields of this path."""

    value: dict[str, Any]
    path: str
    coordinates: tuple[str, ...]


def found_nodes(query: str, data: dict[str, Any] | None) -> Iterator[FoundNode]:
    """Yields all objects with an id in the data of an answer."""
    walk = _walk(query)
    yield from walk.below(walk.root, [walk.operation.selection_set], data, "", ())


class _Walk:
    def __init__(self, document: DocumentNode) -> None:
        self._fragments = {
            definition.name.value: definition
            for definition in document.definitions
            if isinstance(definition, FragmentDefinitionNode)
        }
        (self.operation,) = [
            definition for definition in document.definitions if isinstance(definition, OperationDefinitionNode)
        ]
        self.root = self.operation.operation.value.title()

    def below(
        self, declared: str, sets: list[SelectionSetNode], value: Any, path: str, coordinates: tuple[str, ...]
    ) -> Iterator[FoundNode]:
        """Yields the objects with an id in a value of a type. Paths do not contain list indexes."""
        if isinstance(value, list):
            for item in value:
                yield from self.below(declared, sets, item, path, coordinates)
        elif value is not None:
            type_ = value.get("__typename", declared)
            if "id" in value:
                yield FoundNode(value, path, coordinates)
            for key, nodes in self._fields(type_, sets).items():
                inner = [node.selection_set for node in nodes if node.selection_set]
                if inner:
                    name = nodes[0].name.value
                    more = (*coordinates, f"{type_}.{name}")
                    yield from self.below(
                        _field_type(type_, name), inner, value.get(key), f"{path}.{key}".strip("."), more
                    )

    def _fields(self, type_: str, sets: Iterable[SelectionSetNode]) -> dict[str, list[FieldNode]]:
        fields: dict[str, list[FieldNode]] = defaultdict(list)
        for selections in sets:
            for selection in selections.selections:
                if isinstance(selection, FieldNode):
                    fields[selection.alias.value if selection.alias else selection.name.value].append(selection)
                    continue
                part = self._fragments[selection.name.value] if isinstance(selection, FragmentSpreadNode) else selection
                assert isinstance(part, FragmentDefinitionNode | InlineFragmentNode)
                if part.type_condition is None or _matches(type_, part.type_condition.name.value):
                    for key, nodes in self._fields(type_, [part.selection_set]).items():
                        fields[key] += nodes
        return fields


def _field_type(type_: str, field: str) -> str:
    """Returns the name of the declared type of a field."""
    declared = SCHEMA.type_map[type_]
    assert isinstance(declared, GraphQLObjectType)
    return str(get_named_type(declared.fields[field].type))


def _matches(type_: str, condition: str) -> bool:
    abstract = SCHEMA.type_map[condition]
    return type_ == condition or (
        is_abstract_type(abstract) and type_ in {t.name for t in SCHEMA.get_possible_types(abstract)}
    )


@lru_cache(maxsize=16)
def _walk(query: str) -> _Walk:
    return _Walk(parse(query))
