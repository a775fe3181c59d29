"""Arguments of resolvers: variables fill templates, and give what graphql-core's coercion gives."""

from typing import Any

import pytest
from graphql import FieldNode, GraphQLError, OperationDefinitionNode, get_argument_values, parse

from dependencies.graphql import Executor
from execution import inputs
from execution.inputs import arguments
from schema import schema
from schema.planned import plans_of

SCHEMA = schema.graphql_core
CASES: list[tuple[str, list[dict[str, Any]]]] = [
    (
        "mutation ($id: ID!, $key: String) { like(input: {targetId: $id, idempotencyKey: $key}) { __typename } }",
        [{"id": "a", "key": "k"}, {"id": "b", "key": None}, {"id": "c"}],
    ),
    ("mutation ($id: ID!) { like(input: {targetId: $id, source: $id}) { __typename } }", [{"id": "a"}, {"id": "b"}]),
    ("mutation ($i: ReactInput!) { like(input: $i) { __typename } }", [{"i": {"targetId": "a"}}]),
    ("query ($n: Int!, $a: String) { square(first: $n, after: $a) { __typename } }", [{"n": 3}, {"n": 4, "a": "x"}]),
    ("query ($n: Int = 7) { square(first: $n) { __typename } }", [{}, {"n": 2}, {"n": 5}]),
    ("query ($s: TimelineSort!) { square(sort: $s) { __typename } }", [{"s": "HOT"}, {"s": "LATEST"}]),
    ('query ($k: [String!]!) { entities(business: "video", keys: $k) { id } }', [{"k": ["a"]}, {"k": []}]),
    ('query ($k: String!) { entities(business: "video", keys: [$k, "b"]) { id } }', [{"k": "a"}, {"k": "c"}]),
    ("{ square(first: 3) { __typename } }", [{}, {}]),
]


def _executor(query: str, variables: dict[str, Any]) -> tuple[Executor[Any], FieldNode]:
    document = parse(query)
    executor = Executor.build(SCHEMA, document, raw_variable_values=variables)
    assert isinstance(executor, Executor)
    (operation,) = document.definitions
    assert isinstance(operation, OperationDefinitionNode)
    (node,) = operation.selection_set.selections
    assert isinstance(node, FieldNode)
    return executor, node


@pytest.mark.parametrize(("query", "each"), CASES)
def test_templates_give_the_arguments_that_graphql_core_coerces(query: str, each: list[dict[str, Any]]) -> None:
    computed = None
    for variables in each:
        executor, node = _executor(query, variables)
        root = SCHEMA.get_root_type(executor.operation.operation)
        assert root is not None
        field = root.fields[node.name.value]
        convert = plans_of(schema)._describe(field).arguments
        computed = computed or arguments(field, node, convert)

        given = computed(executor)

        assert given == convert(get_argument_values(field, node, executor.variable_values))


@pytest.mark.parametrize("key", [{"key": "k"}, {"key": None}, {}])
def test_scalar_variables_are_not_coerced_again(monkeypatch: pytest.MonkeyPatch, key: dict[str, Any]) -> None:
    query, _ = CASES[0]
    executor, node = _executor(query, {"id": "a", **key})
    field = SCHEMA.mutation_type.fields["like"]  # type: ignore[union-attr]
    computed = arguments(field, node, plans_of(schema)._describe(field).arguments)
    computed(executor)

    def fail(*_: Any) -> Any:
        raise GraphQLError("coerced again")

    monkeypatch.setattr(inputs, "get_argument_values", fail)
    executor, _ = _executor(query, {"id": "b", **key})

    assert vars(computed(executor)["input"])["target_id"] == "b"


def test_executions_do_not_share_input_objects() -> None:
    query, _ = CASES[0]
    field = SCHEMA.mutation_type.fields["like"]  # type: ignore[union-attr]
    first, node = _executor(query, {"id": "a", "key": "k"})
    second, _ = _executor(query, {"id": "b", "key": "l"})
    computed = arguments(field, node, plans_of(schema)._describe(field).arguments)

    one, other = computed(first)["input"], computed(second)["input"]

    assert (one.target_id, one.idempotency_key) == ("a", "k")
    assert (other.target_id, other.idempotency_key) == ("b", "l")
