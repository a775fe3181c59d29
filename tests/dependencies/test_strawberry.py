"""The parts of Strawberry that dependencies/strawberry.py takes."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest
import strawberry
from graphql import ExecutionResult, GraphQLField, GraphQLSchema, parse, print_schema, validate

from dependencies.graphql import Executor
from dependencies.strawberry import (
    ExecutionContext,
    Schema,
    StrawberryField,
    convert_arguments,
    declaration,
    enum_values,
    optimized_is_awaitable,
)
from tests.dependencies.library import Library

STRAWBERRY = Library("strawberry-graphql", "strawberry")


class Colour(Enum):
    RED = "red"


strawberry.enum(Colour, description="A colour.")


@strawberry.input
class Wanted:
    colour: Colour
    at_most: int = 3


@dataclass
class Row:
    title_text: str


@strawberry.type
class Book:
    title: str = strawberry.field(name="heading", metadata={"own": 1})

    @strawberry.field
    def length(self) -> int:
        return len(self.title)

    @strawberry.field
    async def lent(self, info: strawberry.Info, wanted: Wanted) -> str:
        return f"{self.title} {info.context} {wanted.colour.name} {wanted.at_most}"


@strawberry.type
class Query:
    @strawberry.field
    def book(self) -> Book:
        return Book(title="Emma")


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def books(self) -> AsyncIterator[Book]:
        yield Book(title="Emma")


@pytest.fixture(scope="module")
def schema() -> Schema:
    return Schema(Query, subscription=Subscription)


def field(schema: Schema, type_: str, name: str) -> GraphQLField:
    found: Any = schema.graphql_core.type_map[type_]
    one: GraphQLField = found.fields[name]
    return one


def declared(schema: Schema, name: str, type_: str = "Book") -> StrawberryField:
    found = declaration(field(schema, type_, name))
    assert found is not None, STRAWBERRY.has_changed("the extensions of a field do not name its declaration")
    return found


def test_the_schema_of_graphql_core_validates_and_prints(schema: Schema) -> None:
    assert isinstance(schema.graphql_core, GraphQLSchema), STRAWBERRY.has_changed("Schema has no _schema")
    assert validate(schema.graphql_core, parse("{ book { heading } }")) == []
    assert [error.message for error in validate(schema.graphql_core, parse("{ book { title } }"))] != []
    assert "type Book" in print_schema(schema.graphql_core)


def test_a_declaration_tells_how_a_field_is_resolved(schema: Schema) -> None:
    for name in ("heading", "length", "lent"):
        STRAWBERRY.has(
            declared(schema, name),
            *("arguments", "base_resolver", "extensions", "is_basic_field", "is_subscription", "metadata"),
            *("permission_classes", "python_name"),
        )
    heading, length, lent = (declared(schema, name) for name in ("heading", "length", "lent"))

    assert (heading.is_basic_field, heading.python_name, dict(heading.metadata)) == (True, "title", {"own": 1})
    assert (length.is_basic_field, lent.is_basic_field) == (False, False)
    assert declared(schema, "books", "Subscription").is_subscription
    assert not lent.is_subscription
    assert not lent.extensions
    assert not lent.permission_classes


def test_a_resolver_can_be_called_without_the_wrapper_of_strawberry(schema: Schema) -> None:
    length, lent = declared(schema, "length").base_resolver, declared(schema, "lent").base_resolver
    assert length
    assert lent
    STRAWBERRY.has(length, "info_parameter", "is_async", "self_parameter", "wrapped_func")

    assert (length.is_async, lent.is_async) == (False, True)
    assert (bool(length.info_parameter), bool(lent.info_parameter)) == (False, True)
    assert length.self_parameter
    call: Any = length.wrapped_func
    assert call(Book(title="Emma")) == 4
    assert declared(schema, "length").arguments == []


def test_a_field_of_introspection_has_no_declaration(schema: Schema) -> None:
    assert declaration(field(schema, "__Schema", "types")) is None


def test_arguments_are_converted_to_what_the_resolver_takes(schema: Schema) -> None:
    lent = declared(schema, "lent")
    given = {"wanted": {"colour": Colour.RED, "atMost": 5}}

    converted = convert_arguments(given, lent.arguments, schema.scalars, schema.config)

    assert converted == {"wanted": Wanted(colour=Colour.RED, at_most=5)}


def test_info_is_made_from_that_of_graphql_core(schema: Schema) -> None:
    of_graphql_core: Any = SimpleNamespace(context="the context")

    assert strawberry.Info(of_graphql_core, declared(schema, "lent")).context == "the context"


def test_the_execution_context_is_an_executor_of_graphql_core(schema: Schema) -> None:
    assert issubclass(ExecutionContext, Executor), STRAWBERRY.has_changed("its execution context is no Executor")
    document = parse("{ book { heading length } }")

    test: Any = optimized_is_awaitable
    executor = ExecutionContext.build(schema.graphql_core, document, is_awaitable=test)
    assert isinstance(executor, ExecutionContext)
    result = executor.execute_operation()

    assert isinstance(result, ExecutionResult)
    assert (result.data, result.errors) == ({"book": {"heading": "Emma", "length": 4}}, None)


async def test_the_schema_uses_the_executor_that_it_is_given() -> None:
    class Noted(ExecutionContext):
        def execute_operation(self, serially: bool | None = None) -> Any:
            assert serially is None
            return ExecutionResult({"of": "Noted"}, None)

    result = await Schema(Query, execution_context_class=Noted).execute("{ book { heading } }")

    assert result.data == {"of": "Noted"}


def test_coroutines_are_awaitable_and_values_are_not() -> None:
    async def coroutine() -> None: ...

    started = coroutine()
    values: list[Any] = [started, None, 1, "a", [], Row("a")]
    assert list(map(optimized_is_awaitable, values)) == [True] + 5 * [False]
    started.close()


def test_the_values_of_an_enum_can_be_described() -> None:
    for value in enum_values(Colour):
        value.description = f"It is {value.name}."

    assert '"""It is RED."""' in Schema(Query).as_str()
