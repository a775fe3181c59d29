"""Custom data: which JSON values are accepted, and how they are written."""

import random
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain import custom
from domain.errors import BadInput


def nested(levels: int, inner: object = 1) -> object:
    for level in range(levels):
        inner = {"a": inner} if level % 2 else [inner]
    return {"a": inner}


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"a": 1, "b": [True, None, -1.5, "é\n"], "c": {"d": {}}},
        nested(4),
        {"n": (1 << 64) - 1, "m": -(1 << 63), "": ""},
        {"a": "x" * (custom.MOST_BYTES - 8)},
    ],
    ids=range(5),
)
def test_an_object_within_the_limits_is_written_without_white_space(value: Any) -> None:
    text = custom.encoded(value)

    assert orjson.loads(text) == value
    assert len(text.encode()) <= custom.MOST_BYTES
    assert text == orjson.dumps(value).decode()


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        [{}],
        "{}",
        1,
        True,
        nested(5),
        nested(5, {}),
        nested(200),
        {"a": "x" * (custom.MOST_BYTES - 7)},
        {"é" * 2046: 1},
        {"a": "\0"},
        {"\0": 1},
        {"a": [{"b": "x\0y"}]},
        {"a": "\ud800"},
        {"\udfff": 1},
        {"a": 1 << 64},
        {"a": float("inf")},
        {"a": [float("nan")]},
    ],
    ids=range(19),
)
def test_every_other_value_is_refused(value: Any) -> None:
    with pytest.raises(BadInput):
        custom.encoded(value)


def dumped(value: Any) -> str:
    return orjson.dumps(value).decode()


def shuffled(value: Any, order: random.Random) -> Any:
    """Returns an equal JSON value: members in another order, and integers as floats where a float can hold them."""
    if isinstance(value, dict):
        members = [(name, shuffled(inner, order)) for name, inner in value.items()]
        order.shuffle(members)
        return dict(members)
    if isinstance(value, list):
        return [shuffled(inner, order) for inner in value]
    if isinstance(value, int) and not isinstance(value, bool) and float(value) == value and order.random() < 0.5:
        return float(value)
    return value


NUMBERS = st.integers(-(1 << 63), (1 << 64) - 1) | st.floats(allow_nan=False, allow_infinity=False)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text('ab1. é\n"😀', max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab é", max_size=3), inner, max_size=4),
)
OBJECTS = st.dictionaries(st.text("ab é", max_size=3), VALUES, max_size=5)


def as_json_value(value: Any) -> Any:
    """Returns a Python value that equals another one exactly if the JSON values are equal. Python has True == 1."""
    if isinstance(value, bool) or not isinstance(value, dict | list):
        return (isinstance(value, bool), value)
    if isinstance(value, dict):
        return {name: as_json_value(inner) for name, inner in value.items()}
    return [as_json_value(inner) for inner in value]


@given(OBJECTS, st.randoms())
def test_equal_json_values_have_one_comparable_text(value: Any, order: random.Random) -> None:
    assert custom.comparable(dumped(value)) == custom.comparable(dumped(shuffled(value, order)))


@given(OBJECTS, OBJECTS)
def test_different_json_values_have_different_comparable_texts(one: Any, other: Any) -> None:
    same = as_json_value(one) == as_json_value(other)

    assert (custom.comparable(dumped(one)) == custom.comparable(dumped(other))) == same


def test_the_comparable_text_of_sorted_members_without_floats_is_the_text_itself() -> None:
    """Earlier versions compared the texts themselves. Their fingerprints of new posts and comments are kept forever."""
    text = '{"a":[1,{"b":null,"c":"é"}],"d":true}'

    assert custom.comparable(text) == text
