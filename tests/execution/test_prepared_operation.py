"""Variables that plans use directly, and variables that graphql-core must coerce."""

from typing import Any

import pytest
from graphql import OperationDefinitionNode, get_variable_values, parse
from hypothesis import given, settings
from hypothesis import strategies as st

from execution.inputs import PreparedOperation
from schema import schema

SCALARS = ["String", "ID", "Boolean", "Int"]
TYPES = st.tuples(st.sampled_from([*SCALARS, "TimelineSort", "FollowInput"]), st.sampled_from(["{}", "[{}]", "[[{}]]"]))
DEFAULTS = {"String": '"a"', "ID": "1", "Boolean": "true", "Int": "1"}
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([-(2**31) - 1, -(2**31), 2**31 - 1, 2**31, 2**70, 1.0, 0.5, float("nan"), float("inf"), b"a"])
    | st.sampled_from(["", "a", "7", "true", "HOT", "\ud800"])
    | st.just({"userId": "User:7"})
)
VALUES = LEAVES | st.lists(LEAVES, max_size=3) | st.tuples(LEAVES) | st.lists(st.lists(LEAVES, max_size=2), max_size=2)


@st.composite
def declarations(draw: st.DrawFn) -> str:
    """Draws an operation with up to three variables of all kinds of types."""
    declared = []
    for i in range(draw(st.integers(0, 3))):
        name, shape = draw(TYPES)
        type_ = shape.format(name + draw(st.sampled_from(["", "!"]))) + draw(st.sampled_from(["", "!"]))
        default = DEFAULTS.get(name) if shape == "{}" and draw(st.booleans()) else None
        declared.append(f"$v{i}: {type_.replace('!!', '!')}" + (f" = {default}" if default else ""))
    return f"query {'(' + ', '.join(declared) + ')' if declared else ''} {{ __typename }}"


def both(text: str, values: dict[str, Any]) -> tuple[Any, Any]:
    """Returns the directly used values, and the values that graphql-core coerces."""
    document = parse(text)
    (operation,) = document.definitions
    assert isinstance(operation, OperationDefinitionNode)
    prepared = PreparedOperation(schema.graphql_core, document, operation)
    return prepared.variables(values), get_variable_values(
        schema.graphql_core, operation.variable_definitions or (), values
    )


@settings(max_examples=500, derandomize=True, database=None, deadline=None)
@given(declarations(), st.dictionaries(st.sampled_from(["v0", "v1", "v2", "other"]), VALUES))
def test_directly_used_values_equal_those_of_graphql_core(text: str, values: dict[str, Any]) -> None:
    taken, made = both(text, values)

    if taken is not None:
        assert repr(taken.coerced) == repr(made.coerced)
        assert list(taken.sources) == list(made.sources)
        assert all(taken.sources[name].value is made.sources[name].value for name in made.sources)


@pytest.mark.parametrize(
    ("declared", "values"),
    [
        ("($a: String!, $b: ID, $c: Boolean!, $d: Int)", {"a": "x", "b": "7", "c": False, "d": -5}),
        ("($a: [String!]!, $b: [ID], $c: [Boolean!])", {"a": ["x", "y"], "b": ["1", None], "c": None, "more": 1}),
        ("($a: Int, $b: [String!])", {}),
        ("($a: Int)", {"a": None}),
        ("", {"unknown": 1}),
    ],
)
def test_the_variables_of_typical_pages_are_used_directly(declared: str, values: dict[str, Any]) -> None:
    taken, made = both(f"query {declared} {{ __typename }}", values)

    assert taken.coerced == made.coerced
    assert {name: one.value for name, one in taken.sources.items()} == {n: o.value for n, o in made.sources.items()}


@pytest.mark.parametrize(
    ("declared", "value"),
    [
        ("($a: String!)", None),
        ("($a: String)", 7),
        ("($a: ID)", 7),
        ("($a: Boolean)", 1),
        ("($a: Int)", True),
        ("($a: Int)", 1.0),
        ("($a: Int)", 2**31),
        ("($a: [String!])", ["a", None]),
        ("($a: [String!])", "a"),
        ("($a: [Int])", [2**31]),
        ("($a: [[String]])", [["a"]]),
        ("($a: TimelineSort)", "HOT"),
        ("($a: FollowInput)", {"userId": "User:7"}),
    ],
)
def test_values_that_need_coercion_are_left_to_graphql_core(declared: str, value: Any) -> None:
    assert both(f"query {declared} {{ __typename }}", {"a": value})[0] is None


@pytest.mark.parametrize("declared", ["($a: String!)", "($a: Int = 3)", "($a: [ID!]!)"])
def test_a_variable_that_is_missing_or_has_a_default_is_left_to_graphql_core(declared: str) -> None:
    assert both(f"query {declared} {{ __typename }}", {})[0] is None
