"""A step of the deletion of a large account costs the same at its beginning and at its end."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from sqlalchemy import BigInteger, SmallInteger, TextClause, text
from sqlalchemy.dialects.postgresql.asyncpg import dialect

from models import METADATA
from models.deletions import DeletionMode
from store.people import account_rows
from store.people.account_rows import Page
from tests.support.citus import one_server
from tests.support.deletions import delete, finish
from tests.support.plans import reads
from tests.support.reconciliation import drift, execute
from tests.support.stores import standalone
from tests.support.suspended_writes import scene
from tests.support.system import System
from workers.deletions import purge, undo
from workers.deletions.run import Begun, delete_accounts

LIKES = """INSERT INTO reactions (user_id, business_id, entity_id, state, version)
           SELECT :user, 100, i, CASE WHEN i > :undone THEN 1 ELSE 0 END, 1 FROM generate_series(1, :rows) AS i"""
DIALECT: Any = dialect()  # type: ignore[no-untyped-call]
USER, PAGE, ROWS = 7, 100, 1000
EMPTY = {"TEXT": "", "VARCHAR": "", "JSONB": "{}", "TIMESTAMP WITH TIME ZONE": "infinity"}
"""The values of columns, by their type. Other columns have numbers."""
pytestmark = [standalone]


def statements() -> Iterator[tuple[str, TextClause]]:
    """Yields each statement that reads or removes rows of an account, with its table."""
    for some in (account_rows._FIRST_PAGES, account_rows._PAGES, account_rows._REMOVE):
        yield from some.items()


def parameters(statement: TextClause, table: str) -> dict[str, Any]:
    """Returns values of the parameters of a statement, which has parameters for the key columns of a table."""
    columns = METADATA.tables[table].columns
    values: dict[str, Any] = {"user": USER, "count": PAGE}
    names = statement.compile().params
    for name in names:
        column = name.partition("_")[2]
        if column in columns:
            values[name] = 1 if isinstance(columns[column].type, BigInteger | SmallInteger) else "a"
    return {name: values[name] for name in names}


def filling(table: str) -> TextClause:
    """Returns the statement that gives a user many rows of a table, or one row if more are not possible."""
    user, key, *_ = account_rows._ROWS[table]
    keys = key.split(", ") if key else []
    values = {user: str(USER)}
    for column in METADATA.tables[table].columns:
        kind = str(column.type.compile(DIALECT))
        if column.name == user or column.computed or column.identity:
            continue
        if column.name in keys[-1:]:
            values[column.name] = f"CAST(i AS {kind})"
        elif column.name in keys or not (column.nullable or column.server_default):
            values[column.name] = f"CAST('{EMPTY.get(kind, '{}' if kind.endswith('[]') else 0)}' AS {kind})"
    rows = ROWS if key else 1
    return text(
        f"INSERT INTO {table} ({', '.join(values)}) SELECT {', '.join(values.values())} "  # noqa: S608 - constants
        f"FROM generate_series(1000, {999 + rows}) AS i ON CONFLICT DO NOTHING"
    )


@one_server
async def test_every_statement_begins_in_an_index_where_the_last_page_has_ended(system: System) -> None:
    async with system.state.postgres.transaction() as transaction:
        for method in ("seqscan", "bitmapscan"):
            await transaction.execute(text(f"SET LOCAL enable_{method} = off"))
        for table in account_rows._ROWS:
            await transaction.execute(filling(table))
            await transaction.execute(text(f"ANALYZE {table}"))
        for table, statement in statements():
            given = parameters(statement, table)
            explained = text(f"EXPLAIN (COSTS OFF) {statement.text}")
            plan = "\n".join(row[0] for row in await transaction.execute(explained, **given))
            assert "Seq Scan" not in plan, plan
            assert "Sort" not in {line.strip(" ->") for line in plan.splitlines()} or table == "records", plan
            _, key, *_ = account_rows._ROWS[table]
            reads_rows = "One-Time Filter: false" not in plan  # rows that always stand are never removed
            if statement is not account_rows._FIRST_PAGES[table] and key and reads_rows:
                conditions = [line for line in plan.splitlines() if "Index Cond" in line]
                assert conditions, plan
                assert all(key.split(", ")[0] in line for line in conditions), plan


async def shared_blocks(system: System, statement: TextClause, **given: Any) -> int:
    """Executes a statement that changes nothing. Returns how many blocks of tables and indexes it has read."""
    explained = text(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement.text}")
    ((plans,),) = await system.state.postgres.read(explained, **given)
    return int(plans[0]["Plan"]["Shared Hit Blocks"] + plans[0]["Plan"]["Shared Read Blocks"])


@one_server
async def test_a_page_reads_no_rows_before_it(system: System) -> None:
    await execute(system, LIKES, user=USER, rows=5000, undone=4900)
    await execute(system, "ANALYZE reactions")
    given: dict[str, Any] = {"user": USER, "count": PAGE, "after_business_id": 100, "after_entity_id": 4850}
    found = await reads(system, account_rows._PAGES["reactions"], "reactions", **given)
    assert found.rows == PAGE


@one_server
async def test_removed_rows_cost_the_later_pages_nothing(system: System) -> None:
    await execute(system, LIKES, user=USER, rows=5000, undone=5000)
    await execute(system, "ANALYZE reactions")
    postgres, last = system.state.postgres, None
    blocks = []
    for number in range(45):
        page = await account_rows.page(postgres, "reactions", USER, PAGE, last)
        if last and number % 10 == 1:
            given = {"user": USER, "count": PAGE, **last.key(-1, "after")}
            blocks.append(await shared_blocks(system, account_rows._PAGES["reactions"], **given))
        async with postgres.transaction() as transaction:
            await account_rows.remove(transaction, USER, page)
        last = page
    assert await system.rows("SELECT count(*) FROM reactions") == [(500,)]
    assert max(blocks) <= min(blocks) + 5, blocks


async def test_a_step_that_undoes_reads_one_page(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(undo, "AT_ONCE", 4)
    bob, _ = await scene(system)
    for video in await system.videos(*(f"large{n}" for n in range(20))):
        await bob.like(video)
    await system.drain()
    user_id = int((await bob.id()).removeprefix("User:"))
    await delete(bob)
    await system.drain()
    tables: list[str] = []
    real = account_rows.page

    async def page(*args: Any) -> Page:
        tables.append(args[1])
        return await real(*args)

    monkeypatch.setattr(account_rows, "page", page)
    costs = []
    async for count in undo.steps(system.state, user_id, DeletionMode.ERASE):
        costs.append((tables[-1], tables.count("reactions"), count))
        await system.drain()
    assert [pages for table, pages, _ in costs if table == "reactions"] == list(range(1, 7))
    assert max(count for _, _, count in costs) == 4
    assert costs[-1][1] == 6


async def test_a_worker_goes_on_where_it_has_ended_and_another_one_begins_anew(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(undo, "AT_ONCE", 4)
    monkeypatch.setattr(purge, "BATCH", 4)
    bob, ids = await scene(system)
    for video in await system.videos(*(f"large{n}" for n in range(20))):
        await bob.like(video)
    await system.drain()
    await delete(bob)
    await system.drain()
    begun: Begun = {}
    for number in range(12):
        await delete_accounts(system.state, partial(bool, number != 7), begun)
        assert bool(begun) is (number not in (0, 7))
        await system.drain()
    await finish(system)
    user = int(ids["bob"].removeprefix("User:"))
    assert await account_rows.left(system.state.postgres, user) == []
    assert await drift(system) == {}
