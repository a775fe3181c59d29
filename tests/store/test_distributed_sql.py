"""Runs every SQL statement of the store on a distributed Postgres.

The test executes the statements and rolls them back: EXPLAIN refuses some that Citus can execute. Statements that lock
rows get values of one shard, as store/postgres/distributed.py runs them.
"""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

import asyncpg
import pytest
from sqlalchemy import TextClause
from sqlalchemy.dialects.postgresql.asyncpg import dialect

import store
from store.postgres import distributed, distribution
from store.postgres.distributed import for_citus, place_of
from store.reconcile.batches import Comparison, Keyset

DIALECT: Any = dialect()  # type: ignore[no-untyped-call]
COUNT = 8
"""Elements of an array: enough for several shards. One element would need only a single shard."""
TEXTS = {"ip": "127.0.0.1", "ips": "127.0.0.1", "table": "posts", "dictionary": "english_stem"} | dict.fromkeys(
    ["images", "topics", "links", "included"], "{}"
)
"""Values of text parameters that statements cast to another type, by parameter. Others are numbers."""
SAME_SHARD = """
    SELECT array_agg(value) FROM (
        SELECT value FROM generate_series(1, 1000) AS value
        WHERE get_shard_id_for_distribution_column($1::text::regclass, value::bigint)
            = get_shard_id_for_distribution_column($1::text::regclass, 1::bigint)
        LIMIT $2
    ) AS same
"""
"""Returns values of the distribution column of a table that are in one shard."""
IN_SHARD = re.compile(r"[\w.]+ = ANY\(CAST\(:\w+ AS (?:bigint|text)\[\]\)\)")
TASKS = re.compile(r"Task Count: (\d+)")
PREPARED = 8
"""How often a statement runs before its plan is looked at. After five runs, Postgres may take a generic plan."""
OTHER_TEXTS = 10
"""How many statements may have another text for Citus, at most."""
OTHERS: Mapping[str, Any] = {
    "bool": True,
    "bytea": b"1",
    "float8": 1.0,
    "jsonb": "{}",
    "timestamptz": datetime(2026, 1, 1, tzinfo=UTC),
}


@pytest.mark.timeout(300)
async def test_a_distributed_database_accepts_every_statement(coordinator: str) -> None:
    connection = await asyncpg.connect(coordinator)
    reasons = {name: await refusal(connection, statement) for name, statement in statements().items()}
    await connection.close()

    refused = [f"{name}: {reason}" for name, reason in reasons.items() if reason]
    assert not refused, "Write these statements in a way that Citus accepts:\n" + "\n".join(refused)


def test_few_statements_have_another_text_for_citus() -> None:
    """Statements that have only a condition on the shard more than on a plain Postgres do not count."""
    found = statements().items()
    others = [name for name, one in found if for_citus(one).text != one.text and not has_condition(one)]

    assert len(others) <= OTHER_TEXTS, others


@pytest.mark.timeout(300)
async def test_reads_by_an_array_ask_only_the_shards_with_these_rows(coordinator: str) -> None:
    """The arrays have one element, so one shard has the rows."""
    found = {name: one for name, one in statements().items() if has_condition(one) and not place_of(for_citus(one))}
    assert found
    connection = await asyncpg.connect(coordinator)
    tasks = {name: await asked(connection, for_citus(statement)) for name, statement in found.items()}
    await connection.close()

    assert tasks == dict.fromkeys(found, 1)


def has_condition(statement: TextClause) -> bool:
    """Tells whether the statement has the condition on the shard on Citus only."""
    other = for_citus(statement).text
    return statement.text != other and IN_SHARD.sub("true", other) == IN_SHARD.sub("true", statement.text)


async def asked(connection: asyncpg.Connection, statement: TextClause) -> int:
    """Returns how many shards Citus asks when a prepared statement with arrays of one element has run some times."""
    prepared = await connection.prepare(str(statement.compile(dialect=DIALECT)))
    kinds = [kind.name for kind in prepared.get_parameters()]
    for _ in range(PREPARED):
        single = [scalar(1, "", kind.removesuffix("[]")) for kind in kinds]
        await prepared.fetch(*([one] if kind.endswith("[]") else one for kind, one in zip(kinds, single, strict=True)))
    values = ", ".join("'{1}'" if kind.endswith("[]") else "'1'" for kind in kinds)
    plan = await connection.fetch(f"EXPLAIN EXECUTE {prepared.get_name()}({values})")
    (count,) = TASKS.findall("\n".join(line for (line,) in plan))
    return int(count)


def statements() -> dict[str, TextClause]:
    """Returns all statements of the store by the expression that gives them, except those that distribute tables."""
    modules = {module.name for module in pkgutil.walk_packages(store.__path__, "store.")}
    found: dict[str, TextClause] = {}
    for name in sorted(modules - {distribution.__name__}):
        found |= statements_of(importlib.import_module(name))
    return found


def statements_of(module: ModuleType) -> dict[str, TextClause]:
    """Returns the statements at module level, also those of keysets, comparisons and dictionaries, and those that
    functions build from the elements of a tuple.
    """
    found: dict[str, TextClause] = {}
    for name, value in vars(module).items():
        if isinstance(value, TextClause):
            found[f"{module.__name__}.{name}"] = value
        elif isinstance(value, dict):
            found |= {f"{module.__name__}.{name}[{key}]": one for key, one in value.items() if is_statement(one)}
        elif isinstance(value, Keyset | Comparison):
            found[f"{module.__name__}.{name}"] = value.statement
        elif isinstance(value, tuple) and value and all(isinstance(element, Keyset | Comparison) for element in value):
            found |= {f"{module.__name__}.{name}[{place}]": element.statement for place, element in enumerate(value)}
        elif inspect.isfunction(value) and value.__annotations__.get("return") is TextClause and not changes(value):
            if {one.annotation for one in inspect.signature(value).parameters.values()} <= {str, TextClause}:
                continue  # modules keep what such a function returns as constants, which are found themselves
            built = {f"{module.__name__}.{name}({one})": value(it) for one, it in arguments(module, value).items()}
            assert built, f"no tuple in {module.__name__} has arguments for {name}"
            found |= built
    return found


def is_statement(value: object) -> bool:
    return isinstance(value, TextClause)


def changes(function: Any) -> bool:
    """Tells whether the function is one of those that change statements for Citus."""
    return bool(function.__module__ == distributed.__name__)


def arguments(module: ModuleType, function: Any) -> dict[str, Any]:
    """Returns the elements of the module's tuples that have the type of the function's only parameter."""
    (parameter,) = inspect.signature(function).parameters.values()
    return {
        f"{name}[{number}]": element
        for name, value in vars(module).items()
        if isinstance(value, tuple)
        for number, element in enumerate(value)
        if isinstance(element, parameter.annotation)
    }


async def refusal(connection: asyncpg.Connection, statement: TextClause) -> str | None:
    """Runs a statement and rolls it back. Returns the error if the database refuses it, or None."""
    statement = for_citus(statement)
    compiled = statement.compile(dialect=DIALECT)
    given: dict[str, Any] = {}
    if where := place_of(statement):
        given[where.parameter] = await connection.fetchval(SAME_SHARD, where.table, COUNT)
    transaction = connection.transaction()
    await transaction.start()
    try:
        prepared = await connection.prepare(str(compiled))
        named = zip(compiled.positiontup or (), prepared.get_parameters(), strict=True)
        arguments = [given.get(name) or argument(place, name, type_) for place, (name, type_) in enumerate(named)]
        await prepared.fetch(*arguments)
    except (asyncpg.FeatureNotSupportedError, asyncpg.InternalServerError) as error:
        return str(error)
    finally:
        await transaction.rollback()
    return None


def argument(place: int, name: str, type_: asyncpg.Type) -> Any:
    """Returns a value for a parameter. Each number occurs once in a statement."""
    if type_.kind == "array":
        return [scalar(COUNT * place + number, name, type_.name.removesuffix("[]")) for number in range(COUNT)]
    return scalar(COUNT * place, name, type_.name)


def scalar(number: int, name: str, type_: str) -> Any:
    if type_ in ("int2", "int4", "int8", "numeric"):
        return number
    return TEXTS.get(name, str(number)) if type_ == "text" else OTHERS[type_]
