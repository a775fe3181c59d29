"""The schema keeps the promises of docs/contract.graphql, as far as they are built."""

from dataclasses import replace
from pathlib import Path

import pytest
from graphql import (
    DocumentNode,
    EnumTypeDefinitionNode,
    FieldDefinitionNode,
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InputObjectTypeDefinitionNode,
    InterfaceTypeDefinitionNode,
    ObjectTypeDefinitionNode,
    TypeDefinitionNode,
    build_ast_schema,
    build_schema,
    find_breaking_changes,
    is_specified_scalar_type,
    parse,
)
from graphql.utilities import find_dangerous_changes

from schema import schema

ROOT = Path(__file__).parents[2]
BUILT: GraphQLSchema = build_schema(schema.as_str())
CONTRACT = parse((ROOT / "docs" / "contract.graphql").read_text())

ADDITIONS: frozenset[str] = frozenset()
"""Coordinates (`Type`, `Type.field`, `Type.field(argument)`) that are intended additions to the contract."""

Fielded = GraphQLObjectType | GraphQLInterfaceType


def built_part(document: DocumentNode) -> DocumentNode:
    """Returns the contract without types, fields, arguments, enum values and interfaces that are not built yet."""
    kept = [part for node in document.definitions if isinstance(node, TypeDefinitionNode) and (part := _built(node))]
    return DocumentNode(definitions=tuple(kept))


def _built(node: TypeDefinitionNode) -> TypeDefinitionNode | None:
    made = BUILT.type_map.get(node.name.value)
    match node, made:
        case ObjectTypeDefinitionNode() | InterfaceTypeDefinitionNode(), GraphQLObjectType() | GraphQLInterfaceType():
            fields = tuple(_with_built_arguments(f, made) for f in node.fields or () if f.name.value in made.fields)
            interfaces = tuple(i for i in node.interfaces or () if i.name.value in BUILT.type_map)
            return replace(node, fields=fields, interfaces=interfaces)
        case InputObjectTypeDefinitionNode(), GraphQLInputObjectType():
            return replace(node, fields=tuple(f for f in node.fields or () if f.name.value in made.fields))
        case EnumTypeDefinitionNode(), GraphQLEnumType():
            return replace(node, values=tuple(v for v in node.values or () if v.name.value in made.values))
    return node if made else None


def _with_built_arguments(field: FieldDefinitionNode, made: Fielded) -> FieldDefinitionNode:
    known = made.fields[field.name.value].args
    return replace(field, arguments=tuple(one for one in field.arguments or () if one.name.value in known))


PROMISED: GraphQLSchema = build_ast_schema(built_part(CONTRACT), assume_valid=True)


def ours(graphql: GraphQLSchema) -> list[GraphQLNamedType]:
    """Returns the schema's own types."""
    return [
        type_
        for name, type_ in graphql.type_map.items()
        if not name.startswith("__") and not is_specified_scalar_type(type_)
    ]


def coordinates(graphql: GraphQLSchema) -> dict[str, str]:
    """Returns all named elements of a schema with their types and defaults."""
    found: dict[str, str] = {}
    for type_ in ours(graphql):
        found[type_.name] = type(type_).__name__
        match type_:
            case GraphQLObjectType() | GraphQLInterfaceType():
                found |= {f"{type_.name}:{interface.name}": "implements" for interface in type_.interfaces}
                for name, field in type_.fields.items():
                    found[f"{type_.name}.{name}"] = str(field.type)
                    for argument, of in field.args.items():
                        found[f"{type_.name}.{name}({argument})"] = f"{of.type} = {of.default_value!r}"
            case GraphQLInputObjectType():
                found |= {f"{type_.name}.{n}": f"{f.type} = {f.default_value!r}" for n, f in type_.fields.items()}
            case GraphQLEnumType():
                found |= {f"{type_.name}.{name}": "value" for name in type_.values}
    return found


def test_the_schema_does_not_break_the_contract() -> None:
    assert find_breaking_changes(PROMISED, BUILT) == []


def test_the_schema_has_no_dangerous_change_of_the_contract() -> None:
    assert find_dangerous_changes(PROMISED, BUILT) == []


def test_built_elements_have_the_types_and_defaults_of_the_contract() -> None:
    promised, built = coordinates(PROMISED), coordinates(BUILT)

    assert {name: built.get(name) for name in promised} == promised


def test_additions_to_the_contract_are_listed() -> None:
    assert coordinates(BUILT).keys() - coordinates(PROMISED).keys() == ADDITIONS


@pytest.mark.parametrize("noun", ["Entity", "User", "Viewer", "Query", "Mutation", "UserErrorCode", "EntityInput"])
def test_the_comparison_covers_built_elements(noun: str) -> None:
    assert noun in PROMISED.type_map


def test_a_changed_type_would_be_found() -> None:
    changed = build_schema(schema.as_str().replace("likeCount: Count\n", "likeCount: Int\n"))

    assert find_breaking_changes(PROMISED, changed) != []


def test_the_committed_schema_equals_the_printed_one() -> None:
    committed = (ROOT / "schema.graphql").read_text()

    assert committed == schema.as_str() + "\n", "the schema has changed: .venv/bin/python -m schema > schema.graphql"


def test_every_element_has_a_description() -> None:
    """Except the argument `input` of mutations, whose type has one."""
    undescribed = []
    for type_ in ours(schema.graphql_core):
        undescribed += [] if type_.description else [type_.name]
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType | GraphQLInputObjectType):
            undescribed += [f"{type_.name}.{name}" for name, field in type_.fields.items() if not field.description]
        if isinstance(type_, GraphQLObjectType | GraphQLInterfaceType):
            undescribed += [
                f"{type_.name}.{name}({argument})"
                for name, field in type_.fields.items()
                for argument, of in field.args.items()
                if argument != "input" and not of.description
            ]
        if isinstance(type_, GraphQLEnumType):
            undescribed += [f"{type_.name}.{name}" for name, value in type_.values.items() if not value.description]

    assert undescribed == []
