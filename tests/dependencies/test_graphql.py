"""The parts of graphql-core that dependencies/graphql.py takes."""

from collections.abc import AsyncIterator, Awaitable
from typing import Any, TypeGuard

from graphql import (
    ExecutionResult,
    FragmentDefinitionNode,
    GraphQLError,
    GraphQLOutputType,
    OperationDefinitionNode,
    build_schema,
    create_source_event_stream,
    default_field_resolver,
    default_type_resolver,
    execute_subscription_event,
    get_argument_values,
    get_variable_values,
    parse,
)

from dependencies.graphql import (
    Executor,
    FieldDetails,
    FragmentDetails,
    GraphQLVariableSignature,
    Path,
    VariableValues,
    VariableValueSource,
    collect_fields,
    collect_subfields,
    get_variable_signature,
)
from tests.dependencies.library import Library

GRAPHQL_CORE = Library("graphql-core", "graphql")
SCHEMA = build_schema("""
    type Query { post(id: ID!, short: Boolean = false): Post }
    type Post { id: ID! title: String author: Author }
    type Author { name: String! }
    type Mutation { rename(title: String!): Post }
    type Subscription { renamed: Post }
""")
QUERY = parse("""
    query Q($id: ID!, $with: Boolean = true) { post(id: $id) { ...A author @include(if: $with) { name } } }
    fragment A on Post { id title }
""")
OPERATION: OperationDefinitionNode
FRAGMENT: FragmentDefinitionNode
OPERATION, FRAGMENT = QUERY.definitions  # type: ignore[assignment]
DECLARED = OPERATION.variable_definitions or ()
ROOT = {"post": lambda _info, **given: {"id": given["id"], "title": str(given["short"]), "author": {"name": "Alice"}}}
EXPECTED = {"post": {"id": "7", "title": "False", "author": {"name": "Alice"}}}


def built(class_: type[Executor[Any]] = Executor, document: Any = QUERY, **options: Any) -> Executor[Any]:
    variables = {"id": "7"} if document is QUERY else {}
    executor = class_.build(SCHEMA, document, ROOT, "context", variables, **options)
    assert not isinstance(executor, list), executor
    return executor


def never(_: Any) -> TypeGuard[Awaitable[Any]]:
    return False


def by_hand(**variables: Any) -> Executor[Any]:
    """Makes an executor as schema/planned.py does."""
    signatures = [get_variable_signature(SCHEMA, one) for one in DECLARED]
    values = VariableValues({}, variables)
    for signature in signatures:
        assert isinstance(signature, GraphQLVariableSignature)
        if signature.name in variables:
            values.sources[signature.name] = VariableValueSource(signature, variables[signature.name])
    return Executor(
        SCHEMA,
        {"A": FRAGMENT},
        {"A": FragmentDetails(FRAGMENT, None)},
        ROOT,
        "context",
        OPERATION,
        values,
        default_field_resolver,
        default_type_resolver,
        default_field_resolver,
        is_awaitable=never,
        hide_suggestions=True,
    )


def test_an_executor_has_what_plans_use() -> None:
    GRAPHQL_CORE.has(
        built(),
        *("collected_errors", "context_value", "fragment_definitions", "fragments", "middleware_manager"),
        *("operation", "root_value", "schema", "type_resolver", "variable_values"),
    )
    GRAPHQL_CORE.takes(
        Executor.build,
        *("schema", "document", "root_value", "context_value", "raw_variable_values", "operation_name"),
        by_name=("hide_suggestions", "is_awaitable", "max_coercion_errors"),
    )
    GRAPHQL_CORE.takes(
        Executor,
        *("schema", "fragment_definitions", "fragments", "root_value", "context_value", "operation"),
        *("variable_values", "field_resolver", "type_resolver", "subscribe_field_resolver"),
        by_name=("hide_suggestions", "is_awaitable"),
    )
    GRAPHQL_CORE.takes(Executor.execute_operation, "self", "serially")
    GRAPHQL_CORE.takes(Executor.build_resolve_info, "self", "field_def", "field_nodes", "parent_type", "path")
    GRAPHQL_CORE.takes(Executor.complete_value, "self", "return_type", "field_details_list", "info", "path", "result")
    GRAPHQL_CORE.takes(Executor.handle_field_error, "self", "raw_error", "return_type", "field_details_list", "path")


def test_an_executor_that_was_made_by_hand_works_as_one_that_was_built() -> None:
    result = by_hand(id="7", **{"with": True}).execute_operation()

    assert isinstance(result, ExecutionResult)
    assert (result.data, result.errors) == (EXPECTED, None)
    assert built().execute_operation() == result


def test_a_variable_has_a_signature_with_its_name_type_and_default() -> None:
    signatures = [get_variable_signature(SCHEMA, one) for one in DECLARED]
    coerced = get_variable_values(SCHEMA, DECLARED, {"id": "7"})

    assert all(isinstance(one, GraphQLVariableSignature) for one in signatures)
    assert [(one.name, str(one.type), one.default is None) for one in signatures] == [  # type: ignore[union-attr]
        ("id", "ID!", True),
        ("with", "Boolean", False),
    ], GRAPHQL_CORE.has_changed("GraphQLVariableSignature differs")
    assert isinstance(coerced, VariableValues)
    assert coerced.coerced == {"id": "7", "with": True}
    assert type(coerced.sources["id"]) is VariableValueSource
    assert (coerced.sources["id"].signature.name, coerced.sources["id"].value) == ("id", "7")


def test_fields_are_collected_by_their_keys_with_the_details_of_each() -> None:
    executor = built()
    query, post = SCHEMA.query_type, SCHEMA.type_map["Post"]
    of = executor.schema, executor.fragments, executor.variable_values

    fields, deferred, _ = collect_fields(*of, query, executor.operation)  # type: ignore[arg-type]
    below, deferred_below, _ = collect_subfields(*of, executor.operation, post, fields["post"])  # type: ignore[arg-type]

    assert ([*fields], [*below]) == (["post"], ["id", "title", "author"])
    assert (deferred, deferred_below) == ([], [])
    assert all(isinstance(one, FieldDetails) for some in below.values() for one in some)
    node = fields["post"][0].node
    assert node.name.value == "post"
    assert query
    assert get_argument_values(query.fields["post"], node, executor.variable_values) == {"id": "7", "short": False}


def test_the_details_of_a_fragment_are_its_definition() -> None:
    assert built().fragments == {"A": FragmentDetails(FRAGMENT, None)}
    assert built().fragment_definitions == {"A": FRAGMENT}


def test_errors_of_fields_go_to_a_method_that_can_be_overridden() -> None:
    seen = list[tuple[str, str, list[str | int], str]]()

    class Noted(Executor[Any]):
        def handle_field_error(
            self, raw_error: Exception, return_type: GraphQLOutputType, field_details_list: Any, path: Path
        ) -> None:
            seen.append((str(raw_error), str(return_type), path.as_list(), field_details_list[0].node.name.value))
            assert path.prev
            assert (path.key, path.typename) == ("title", "Post")

    executor = Noted.build(SCHEMA, parse("{ post(id: 1) { title } }"), {"post": {"title": ValueError("no title")}})
    assert isinstance(executor, Noted)
    result: Any = executor.execute_operation()

    assert seen == [("no title", "String", ["post", "title"], "title")], GRAPHQL_CORE.has_changed(
        "handle_field_error is not called for the error of a field"
    )
    assert (result.data, result.errors) == ({"post": {"title": None}}, None)


def test_a_root_field_of_a_mutation_is_completed_step_by_step() -> None:
    """As execution/plans.py does."""
    executor = built(document=parse("mutation { rename(title: 1) { title author { name } } }"))
    mutation = SCHEMA.mutation_type
    assert mutation
    fields, _, _ = collect_fields(
        executor.schema, executor.fragments, executor.variable_values, mutation, executor.operation
    )
    details, field, path = fields["rename"], mutation.fields["rename"], Path(None, "rename", "Mutation")
    info = executor.build_resolve_info(field, [one.node for one in details], mutation, path)
    payload = {"title": "new", "author": {"name": None}}

    completed: Any = executor.complete_value(field.type, details, info, path, payload, None)
    executor.collected_errors.errors.extend([GraphQLError("of a plan")])
    result = executor.finish(executor.build_response({"rename": completed}))

    assert isinstance(result, ExecutionResult)
    assert result.data == {"rename": {"title": "new", "author": None}}
    assert [one.message for one in result.errors or ()] == [
        "Cannot return null for non-nullable field Author.name.",
        "of a plan",
    ], GRAPHQL_CORE.has_changed("collected_errors.errors is not the list of the errors of the response")


async def test_a_subscription_runs_one_executor_for_each_event() -> None:
    async def events(_info: Any) -> AsyncIterator[Any]:
        for title in ("one", "two"):
            yield {"renamed": {"title": title}}

    executor = Executor.build(SCHEMA, parse("subscription { renamed { title } }"), {"renamed": events})
    assert isinstance(executor, Executor)
    source: Any = create_source_event_stream(executor)
    source = await source if isinstance(source, Awaitable) else source

    results = list[Any]()
    async for event in source:
        of_event = executor.build_per_event_executor(event)
        assert type(of_event) is type(executor)
        results.append(execute_subscription_event(of_event))
        vars(of_event).clear()  # as schema/planned.py does

    assert [one.data for one in results] == [{"renamed": {"title": "one"}}, {"renamed": {"title": "two"}}]
