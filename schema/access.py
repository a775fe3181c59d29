"""Declares which tokens may use a field, which kind of write a mutation counts as, and which values depend on the
caller.

A declaration is part of the field's metadata. Types that implement an interface inherit the declarations of its fields.
"""

from typing import Any

from graphql import GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema

from dependencies.strawberry import declaration
from identity.permissions import Rule
from settings import WriteKind

__all__ = ["PERSONAL", "RULE", "WRITE_KIND", "Rule", "access", "declarations"]

RULE = "rule"
"""The metadata key of the rule that says which tokens may use a field."""
WRITE_KIND = "write kind"
"""The metadata key of the kind of write that a mutation counts as in rate limits."""
PERSONAL = "personal"
"""The metadata key of fields whose value depends on the caller."""


def access(rule: Rule, *, writes: WriteKind | None = None, personal: bool = False) -> dict[str, Any]:
    """Returns the metadata of a field. `rule` says which tokens may use the field. `writes` is the kind of write that a
    mutation counts as; each kind has a quota.

    The value of a `personal` field depends on the caller. No shared cache may store a response with such a field.
    """
    return {RULE: rule, WRITE_KIND: writes, PERSONAL: personal}


def declarations(schema: GraphQLSchema, key: str) -> dict[str, Any]:
    """Returns the values that fields have under a metadata key, such as RULE. The result is by schema coordinate, such
    as `Query.viewer`. Leaves out fields without a value.
    """
    return {
        f"{type_.name}.{name}": value
        for type_ in schema.type_map.values()
        if isinstance(type_, (GraphQLObjectType, GraphQLInterfaceType))
        for name, field in type_.fields.items()
        if (found := declaration(field)) and (value := found.metadata.get(key))
    }
