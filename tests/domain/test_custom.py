"""Custom data: which JSON values are accepted, and how they are written."""

from typing import Any

import orjson
import pytest

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
