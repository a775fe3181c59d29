"""Custom data: a JSON object that clients store with a post, comment, user or entity. Plaudit returns the data and does
not interpret it.
"""

import math
from collections.abc import Iterator
from typing import Any

import orjson

from domain.errors import BadInput

MOST_BYTES = 4096
"""The most bytes of custom data, as JSON without white space, in UTF-8."""
DEEPEST = 5
"""The most levels of objects and lists in custom data. The object itself is the first level."""
_SMALLEST_INTEGER, _LARGEST_INTEGER = -(1 << 63), (1 << 64) - 1


def encoded(value: object) -> str:
    """Returns custom data as JSON text without white space.

    Raises BadInput if the value is not an object, has more than MOST_BYTES bytes or DEEPEST levels, or contains a text
    or number that not all stores can hold.
    """
    if not isinstance(value, dict):
        raise BadInput("Custom data is a JSON object.")
    for part in _parts(value, 1):
        if isinstance(part, str) and "\0" in part:
            raise BadInput("Custom data cannot have the character NUL.")
        if isinstance(part, float) and not math.isfinite(part):
            raise BadInput("A number in custom data is too large.")
    try:
        text = orjson.dumps(value)
    except TypeError:  # a lone surrogate, an integer of more than 64 bits, or a variable inside a literal
        message = "Custom data has a text that is not Unicode, a number that is too large, or a variable inside it."
        raise BadInput(message) from None
    if len(text) > MOST_BYTES:
        raise BadInput(f"Custom data has {len(text)} bytes of JSON; the limit is {MOST_BYTES}.")
    return text.decode()


def comparable(text: str) -> str:
    """Returns the canonical form of a JSON text. Two texts have the same canonical form exactly if their values are
    equal: the order of members does not matter, and 1 equals 1.0. Returns the empty text, which removes custom data,
    unchanged.
    """
    return text and orjson.dumps(_with_integers(orjson.loads(text)), option=orjson.OPT_SORT_KEYS).decode()


def _with_integers(value: Any) -> Any:
    """Returns a JSON value in which each float that equals a 64-bit integer is replaced by this integer."""
    match value:
        case dict():
            return {name: _with_integers(inner) for name, inner in value.items()}
        case list():
            return [_with_integers(inner) for inner in value]
        case float() if value.is_integer() and _SMALLEST_INTEGER <= value <= _LARGEST_INTEGER:
            return int(value)
    return value


def _parts(value: object, level: int) -> Iterator[object]:
    """Yields all names, texts and other values inside a JSON value. `level` is the level of the value itself; the
    outermost value has level 1. Raises BadInput if there are more than DEEPEST levels.
    """
    if isinstance(value, (dict, list)):
        if level > DEEPEST:
            raise BadInput(f"Custom data has at most {DEEPEST} levels of objects and lists.")
        if isinstance(value, dict):
            yield from value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _parts(inner, level + 1)
    else:
        yield value
