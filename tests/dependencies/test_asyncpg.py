"""The parts of asyncpg that dependencies/asyncpg.py takes."""

from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest_asyncio

from dependencies.asyncpg import declare_arrays, set_codec
from runner.postgres import Postgres
from tests.dependencies.library import Library

ASYNCPG = Library("asyncpg", "asyncpg")
ONE_TO_THREE = bytes.fromhex("00000001 00000000 00000014 00000003 00000001") + b"".join(
    b"\0\0\0\x08" + number.to_bytes(8) for number in (1, 2, 3)
)
"""The array {1,2,3} of bigints in the binary form of Postgres."""


@pytest_asyncio.fixture
async def connection(postgres: Postgres) -> AsyncIterator[Any]:
    one = await asyncpg.connect(postgres.url)
    ASYNCPG.has(one.get_settings(), "add_python_codec", "register_data_types")
    yield one
    await one.close()


async def test_a_codec_of_an_array_sends_and_receives_its_binary_form(connection: Any) -> None:
    """`set_type_codec` is documented, but refuses arrays."""
    received = list[bytes]()

    def decode(data: bytes) -> str:
        received.append(bytes(data))
        return "decoded"

    set_codec(connection, 1016, "_int8", {"one to three": ONE_TO_THREE}.__getitem__, decode)

    row = await connection.fetchrow("SELECT $1::bigint[], $1::bigint[]::text", "one to three")
    assert tuple(row) == ("decoded", "{1,2,3}"), ASYNCPG.has_changed("add_python_codec has no effect")
    assert received == [ONE_TO_THREE]


async def test_a_declared_array_is_not_asked_for(connection: Any) -> None:
    asked = list[str]()
    connection.add_query_logger(lambda record: asked.append(record.query))
    declare_arrays(connection, [("_bool", 1000, 16), ("_bytea", 1001, 17)])

    assert await connection.fetchval("SELECT $1::bool[]", [True, None]) == [True, None]
    assert await connection.fetchval("SELECT $1::bytea[]", [b"\xff", None]) == [b"\xff", None]
    assert [query for query in asked if "pg_type" in query] == [], ASYNCPG.has_changed(
        "register_data_types does not declare a type"
    )

    await connection.fetchval("SELECT $1::float8[]", [1.5])
    assert [query for query in asked if "pg_type" in query] != [], "so this test sees the query"
