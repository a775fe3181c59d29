"""Encodes and decodes the arrays that are parameters of statements about many rows, faster than asyncpg does.

asyncpg's own encoder tests every element against an abstract class, to find arrays in arrays. That takes several times
as long as encoding an integer. So this module has its own functions for arrays of integers and of texts.

Each connection of asyncpg asks Postgres once for the element type of each array type that it does not know. On Citus,
this query takes a second. So the other array types that statements use are declared here.
"""

from collections.abc import Collection
from functools import partial
from struct import Struct, error
from typing import Any

from sqlalchemy import Engine, event

from dependencies.asyncpg import declare_arrays, set_codec

_HEADER = Struct(">5i")
"""The header of an encoded array: the number of dimensions (1), a flag for nulls (0), the type of the elements, their
number, and the index of the first.
"""
_FLAGS = 7
"""The position, in the header, of the byte that is not 0 if there are nulls."""
_DIMENSIONS = 3
"""The position, in the header, of the byte with the number of dimensions."""
_NULL = (-1).to_bytes(4, signed=True)
_INTEGERS = {"_int2": (1005, 21, "ih"), "_int4": (1007, 23, "ii"), "_int8": (1016, 20, "iq")}
"""The object ids of an array type and of its elements, which are the same in every Postgres, and the format of an
element: its size, then its value.
"""
_TEXTS, _TEXT = 1009, 25
"""The object ids of arrays of texts and of texts."""
_SIZE = Struct(">i")
_DECLARED = {"_bool": (1000, 16), "_bytea": (1001, 17), "_timestamptz": (1185, 1184)}
"""The object ids of other array types and of their elements."""


def speed_up(engine: Engine) -> Engine:
    """Makes new connections of an engine convert arrays with the functions of this module. Returns the engine."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: object) -> None:
        driver = connection.driver_connection
        for name, (array, of, element) in _INTEGERS.items():
            encode, decode = partial(_encode_integers, of, element), partial(_decode_integers, Struct(f">{element}"))
            set_codec(driver, array, name, encode, decode)
        set_codec(driver, _TEXTS, "_text", _encode_texts, _decode_texts)
        declare_arrays(driver, ((name, *ids) for name, ids in _DECLARED.items()))

    return engine


def _encode_integers(of: int, element: str, values: Collection[int | None]) -> bytes:
    count, one = len(values), Struct(f">{element}")
    size = one.size - _SIZE.size
    words: list[int | None] = [size] * (2 * count)
    words[1::2] = values
    try:
        body = Struct(f">{element * count}").pack(*words)
    except error:  # there are nulls, or the array is refused below
        body = b"".join([_NULL if value is None else one.pack(size, value) for value in values])
    return _HEADER.pack(1, 0, of, count, 1) + body


def _decode_integers(element: Struct, data: bytes) -> list[int]:
    """Decodes an array of one dimension without nulls, which may be empty. Raises ValueError for any other array."""
    if data[_FLAGS] or data[_DIMENSIONS] > 1:
        raise ValueError("The array has nulls or several dimensions.")
    return [value for _, value in element.iter_unpack(data[_HEADER.size :])]


def _encode_texts(values: Collection[str | None]) -> bytes:
    pack = _SIZE.pack
    each = [_NULL if value is None else pack(len(word := value.encode())) + word for value in values]
    return _HEADER.pack(1, 0, _TEXT, len(each), 1) + b"".join(each)


def _decode_texts(data: bytes) -> list[str | None]:
    """Decodes an array of one dimension, which may be empty. Raises ValueError for an array of several dimensions."""
    if data[_DIMENSIONS] > 1:
        raise ValueError("The array has several dimensions.")
    values: list[str | None] = []
    at = _HEADER.size
    while at < len(data):
        (size,) = _SIZE.unpack_from(data, at)
        at += _SIZE.size
        values.append(None if size < 0 else data[at : at + size].decode())
        at += max(0, size)
    return values
