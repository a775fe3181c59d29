"""Selections that are generated from the schema."""

from graphql import (
    GraphQLField,
    GraphQLNamedType,
    GraphQLObjectType,
    get_named_type,
    is_abstract_type,
    is_leaf_type,
    is_required_argument,
)

from tests.support.schema_paths import SCHEMA


def everything(type_: GraphQLNamedType, depth: int, prefix: str = "") -> str:
    """Returns a selection of all fields of a type, without braces: to this depth, without fields that need arguments.

    Below an interface, response keys begin with the name of the type, so that the fields of all types can be merged.
    """
    if is_abstract_type(type_):
        types = SCHEMA.get_possible_types(type_)
        parts = (f"... on {one.name} {{ {everything(one, depth, f'{one.name}_')} }}" for one in types)
        return " ".join(["__typename", *parts])
    assert isinstance(type_, GraphQLObjectType)
    fields = (_selected(prefix, name, field, depth) for name, field in type_.fields.items())
    return " ".join(["__typename", *fields])


def _selected(prefix: str, name: str, field: GraphQLField, depth: int) -> str:
    inner, alias = get_named_type(field.type), prefix and f"{prefix}{name}: "
    if any(is_required_argument(one) for one in field.args.values()):
        return ""
    if is_leaf_type(inner):
        return alias + name
    few = "(first: 3)" if "first" in field.args else ""
    return f"{alias}{name}{few} {{ {everything(inner, depth - 1)} }}" if depth else ""
