"""Arrays, which store/postgres/arrays.py encodes, decodes and declares."""

import sys
from abc import ABCMeta
from datetime import UTC, datetime
from types import FrameType
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.support.reconciliation import drift, populate
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


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Returns a list that receives the object ids of the types for which asyncpg asks Postgres."""
    seen, ask = list[int](), asyncpg.Connection._introspect_types

    async def count(connection: asyncpg.Connection, types: set[int], *rest: Any) -> Any:
        seen.extend(types)
        return await ask(connection, types, *rest)

    monkeypatch.setattr(asyncpg.Connection, "_introspect_types", count)
    return seen


@standalone
@pytest.mark.parametrize(
    ("kind", "sent"),
    [
        ("boolean", [True, None, False]),
        ("bytea", [b"", b"\x00,\xff", None]),
        ("timestamptz", [datetime(2026, 1, 1, 12, 0, 0, 7, UTC), None]),
    ],
)
async def test_arrays_of_other_types_arrive_as_they_were_sent(
    system: System, asked: list[int], kind: str, sent: list[object]
) -> None:
    ((array, last),) = await system.state.postgres.read(
        text(f"SELECT CAST(:sent AS {kind}[]), (CAST(:sent AS {kind}[]))[cardinality(CAST(:sent AS {kind}[]))]"),
        sent=sent,
    )

    assert (array, last) == (sent, sent[-1])
    assert asked == []


@standalone
async def test_no_statement_makes_asyncpg_ask_for_types(system: System, asked: list[int]) -> None:
    """On Citus, the query takes seconds."""
    await system.rows("SELECT CAST('{1.5}' AS float8[])")
    assert asked == [1022]  # so this test sees it

    await populate(system)
    await drift(system)

    assert asked == [1022]
