"""Private and undocumented parts of Strawberry: the schema of graphql-core that it builds, and how it calls resolvers.

**What.** `Schema` has the schema of graphql-core and the registry of scalars. `declaration` returns the Strawberry
field of a field of that schema, a `StrawberryField`, whose attributes tell how its resolver is called.
`convert_arguments` converts arguments for a resolver. `ExecutionContext` is the executor class of Strawberry, and
`optimized_is_awaitable` its test for awaitables. `enum_values` returns the definitions of the values of an enum.

**Why.** `strawberry.Schema.execute` parses, validates and executes each request in an order that extensions cannot
change, but a request must be refused before the slow steps (docs/adr/0011-a-document-cache-instead-of-extensions.md).
Strawberry's wrapper of a resolver runs once for each object; plans call the resolver itself, or read a column at once
(docs/adr/0008-queries-run-as-compiled-plans.md). `strawberry.enum` takes descriptions of values only in the definition
of the enum, and the enums of domain/ do not depend on Strawberry.

**Test.** tests/dependencies/test_strawberry.py builds a schema with each kind of field that schema/ declares, and
checks what the plan compiler reads of it.

**Upgrade.** The release notes of Strawberry hardly mention these parts, so read the test. Change the names here and the
calls in schema/planned.py, then run tests/execution and tests/schema. To do without: build a schema of graphql-core
from schema.graphql, with resolvers of our own.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from functools import cached_property
from typing import Any

import strawberry
from graphql import GraphQLField, GraphQLSchema
from strawberry.execution.is_awaitable import optimized_is_awaitable
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext
from strawberry.schema.schema_converter import GraphQLCoreConverter
from strawberry.types.arguments import convert_arguments
from strawberry.types.field import StrawberryField

__all__ = [
    "ExecutionContext",
    "Schema",
    "StrawberryField",
    "convert_arguments",
    "declaration",
    "enum_values",
    "optimized_is_awaitable",
]

ExecutionContext = StrawberryGraphQLCoreExecutionContext


class Schema(strawberry.Schema):
    """A Strawberry schema that gives access to the graphql-core schema which it builds."""

    @cached_property
    def graphql_core(self) -> GraphQLSchema:
        """Returns the schema with which graphql-core validates and executes."""
        return self._schema

    @cached_property
    def scalars(self) -> Mapping[object, Any]:
        """Returns the registry of scalars that `convert_arguments` needs."""
        return self.schema_converter.scalar_registry


def declaration(field: GraphQLField) -> StrawberryField | None:
    """Returns the Strawberry field from which a field was built; None for a field of introspection."""
    declared: StrawberryField | None = field.extensions.get(GraphQLCoreConverter.DEFINITION_BACKREF)
    return declared


def enum_values(enum: type[Enum]) -> Iterable[Any]:
    """Returns the definitions of the values of an enum that `strawberry.enum` knows. Their descriptions can be set."""
    values: Iterable[Any] = enum.__strawberry_definition__.values  # type: ignore[attr-defined]
    return values
