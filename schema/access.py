"""Declares which tokens may use a field, which kind of write a mutation is, and which values depend on the caller.

A declaration is part of the field's metadata. Types that implement an interface inherit the declarations of its fields.
"""

from typing import Any

from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema

from dependencies.strawberry import declaration
from identity.permissions import Rule
from settings import WriteKind

__all__ = ["PERSONAL", "RULE", "WRITE_KIND", "Rule", "access", "declarations"]

RULE = "rule"
"""The metadata key of a field's rule for restricted tokens."""
WRITE_KIND = "write kind"
"""The metadata key of the kind of write that a mutation counts as."""
PERSONAL = "personal"
"""The metadata key of fields whose value depends on the caller."""


def access(rule: Rule, *, writes: WriteKind | None = None, personal: bool = False) -> dict[str, Any]:
    """Returns the metadata of a field: the rule for restricted tokens and, of a mutation, the kind of write that it
    counts as. Each kind of write has a quota.

    The value of a `personal` field depends on the caller. No shared cache may store a response with such a field.
    """
    return {RULE: rule, WRITE_KIND: writes, PERSONAL: personal}


def declarations(schema: GraphQLSchema, key: str) -> dict[str, Any]:
    """Returns what fields declare under a metadata key, by schema coordinates such as `Query.viewer`. Leaves out fields
    that declare nothing.
    """
    return {
        f"{type_.name}.{name}": value
        for type_ in schema.type_map.values()
        if isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType))
        for name, field in type_.fields.items()
        if (found := declaration(field)) and (value := found.metadata.get(key))
    }
