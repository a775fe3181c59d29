"""Arrays, which store/postgres/arrays.py encodes, decodes and declares."""

import sys
from abc import ABCMeta
from datetime import UTC, datetime
from types import FrameType
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError

from store.postgres.client import connect
from tests.support.stores import standalone
from tests.support.system import System

_LIMITS = {"smallint": 2**15, "integer": 2**31, "bigint": 2**63}


@standalone
@pytest.mark.parametrize("kind", _LIMITS)
@pytest.mark.parametrize("count", [0, 1, 3])
async def test_arrays_arrive_as_they_were_sent(system: System, kind: str, count: int) -> None:
    sent = [-_LIMITS[kind], 0, _LIMITS[kind] - 1][:count]
    same = text(f"SELECT CAST(:sent AS {kind}[]), CAST(CAST(:sent AS {kind}[]) AS text)")

    ((array, written),) = await system.state.postgres.read(same, sent=sent)

    assert array == sent
    assert written == f"{{{','.join(map(str, sent))}}}"


@standalone
async def test_an_array_that_is_sent_may_have_nulls(system: System) -> None:
    rows = await system.state.postgres.read(text("SELECT unnest(CAST(:sent AS bigint[]))"), sent=[1, None, 3])

    assert [value for (value,) in rows] == [1, None, 3]


@standalone
async def test_a_number_that_does_not_fit_is_refused(system: System) -> None:
    with pytest.raises(DBAPIError, match="invalid input for query argument"):
        await system.state.postgres.read(text("SELECT CAST(:sent AS smallint[])"), sent=[1, 2**15])


@standalone
@pytest.mark.parametrize("sent", [[], [""], ["a,b", "NULL", None, '"', "你好", "x" * 10_000]], ids=len)
async def test_texts_arrive_as_they_were_sent(system: System, sent: list[str | None]) -> None:
    ((array, last),) = await system.state.postgres.read(
        text("SELECT CAST(:sent AS text[]), (CAST(:sent AS text[]))[cardinality(CAST(:sent AS text[]))]"), sent=sent
    )

    assert array == sent
    assert last == (sent[-1] if sent else None)


@standalone
async def test_a_text_that_is_no_text_is_refused(system: System) -> None:
    with pytest.raises(DBAPIError, match="invalid input for query argument"):
        await system.state.postgres.read(text("SELECT CAST(:sent AS text[])"), sent=["a", 1])


@standalone
@pytest.mark.parametrize(("kind", "sent"), [("bigint", [*range(1000)]), ("text", ["a"] * 1000)])
async def test_no_element_is_tested_against_an_abstract_class(system: System, kind: str, sent: list[object]) -> None:
    """asyncpg's own encoder does that, which takes several times as long as encoding an element."""
    tests = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal tests
        tests += event == "call" and frame.f_code is ABCMeta.__instancecheck__.__code__

    sys.setprofile(count)
    try:
        await system.state.postgres.read(text(f"SELECT cardinality(CAST(:sent AS {kind}[]))"), sent=sent)
    finally:
        sys.setprofile(None)

    assert tests < 100


@standalone
@pytest.mark.parametrize(
    ("kind", "sent"),
    [("boolean", [True, None]), ("bytea", [b"a", None]), ("timestamptz", [datetime(2026, 1, 1, tzinfo=UTC), None])],
)
async def test_no_connection_asks_for_the_type_of_an_array(system: System, kind: str, sent: list[object]) -> None:
    asked: list[str] = []

    def connected(connection: Any, _: object) -> None:
        connection.driver_connection.add_query_logger(lambda query: asked.append(query.query))

    postgres = connect(system.state.settings, "test")
    event.listen(postgres._engine, "connect", connected)
    ((array,),) = await postgres.read(text(f"SELECT CAST(:sent AS {kind}[])"), sent=sent)
    before = [*asked]
    await postgres.read(text("SELECT CAST('{}' AS date[])"))
    await postgres.close()

    assert array == sent
    assert not before
    assert any("typeinfo" in query for query in asked), "asyncpg asks for types that are not declared"
