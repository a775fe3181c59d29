"""Encodes and decodes arrays of integers, the parameters of all statements about many rows.

asyncpg's own encoder tests every element against an abstract class, to find arrays in arrays. That takes several times
as long as encoding an integer.
"""

from collections.abc import Collection
from functools import partial
from struct import Struct
from typing import Any

from sqlalchemy import Engine, event

_HEADER = Struct(">5i")
"""The beginning of an array: 1 dimension, 0, the type of its elements, their number, and the index of the first."""
_FLAGS = 7
"""The position of the byte that is not 0 if there are nulls."""
_DIMENSIONS = 3
"""The position of the byte with the number of dimensions."""
_NULL = (-1).to_bytes(4, signed=True)
_ELEMENTS = {"_int2": (1005, 21, Struct(">ih")), "_int4": (1007, 23, Struct(">ii")), "_int8": (1016, 20, Struct(">iq"))}
"""The object ids of an array type and of its elements, which are the same in every Postgres, and an element: its size,
then its value.
"""


def speed_up(engine: Engine) -> Engine:
    """Makes new connections of an engine use the functions of this module. Returns the engine."""

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: object) -> None:
        # asyncpg's `set_type_codec` refuses arrays, for no reason that concerns binary codecs. So this uses a private
        # function of asyncpg.
        codecs = connection.driver_connection._protocol.get_settings()
        for name, (array, of, element) in _ELEMENTS.items():
            encode, decode = partial(_encode, of, element), partial(_decode, element)
            codecs.add_python_codec(array, name, "pg_catalog", [], "scalar", encode, decode, "binary")

    return engine


def _encode(of: int, element: Struct, values: Collection[int | None]) -> bytes:
    size, pack = element.size - 4, element.pack
    each = [_NULL if value is None else pack(size, value) for value in values]
    return _HEADER.pack(1, 0, of, len(each), 1) + b"".join(each)


def _decode(element: Struct, data: bytes) -> list[int]:
    """Decodes an array of one dimension without nulls, which may be empty. Raises ValueError for any other array."""
    if data[_FLAGS] or data[_DIMENSIONS] > 1:
        raise ValueError("The array has nulls or several dimensions.")
    return [value for _, value in element.iter_unpack(data[_HEADER.size :])]
