"""Undocumented parts of asyncpg: the codecs of a connection.

**What.** `Connection.get_settings` is documented, but not the methods of what it returns: `add_python_codec` sets the
functions that encode and decode a type, `register_data_types` declares types.

**Why.** asyncpg's encoder of arrays tests every element against an abstract class, which takes several times as long as
encoding an integer. `Connection.set_type_codec` refuses arrays. No documented function declares types, so each new
connection would ask Postgres for them, which takes a second on Citus (store/postgres/arrays.py).

**Test.** tests/dependencies/test_asyncpg.py sets a codec and declares a type over a real connection, and checks what
Postgres receives.

**Upgrade.** Compare `asyncpg/protocol/settings.pyx` of both versions. To do without: let `speed_up` of
store/postgres/arrays.py return the engine as it is. Everything works, and arrays are encoded more slowly.
"""

from collections.abc import Callable, Iterable
from typing import Any


def set_codec(
    connection: Any, oid: int, name: str, encode: Callable[[Any], bytes], decode: Callable[[bytes], Any]
) -> None:
    """Makes a connection of asyncpg encode and decode a type of Postgres, in its binary form, with these functions.
    `oid` and `name` are those of the type in the schema `pg_catalog`.
    """
    connection.get_settings().add_python_codec(oid, name, "pg_catalog", [], "scalar", encode, decode, "binary")


def declare_arrays(connection: Any, types: Iterable[tuple[str, int, int]]) -> None:
    """Declares array types, so that a connection of asyncpg does not ask Postgres for them. Each tuple has the name of
    the array type, its object id, and the object id of the type of its elements.
    """
    unused = dict.fromkeys(["attrtypoids", "basetype", "range_subtype"])
    connection.get_settings().register_data_types(
        [
            {"oid": array, "name": name, "ns": "pg_catalog", "elemtype": of, "elemdelim": ",", **unused}
            for name, array, of in types
        ]
    )
