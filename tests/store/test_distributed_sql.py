"""Runs every SQL statement of the store on a distributed Postgres.

`distributed_refused.txt` lists the statements that it refuses; lines are deleted, never added. The test executes the
statements and rolls them back: EXPLAIN refuses some that Citus can execute.
"""

import importlib
import inspect
import os
import pkgutil
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import asyncpg
import pytest
from sqlalchemy import TextClause
from sqlalchemy.dialects.postgresql.asyncpg import dialect

import store
from store.reconcile.batches import Comparison, Keyset
from tests.support.citus import ARCHIVE, citus

LIST = Path(__file__).with_name("distributed_refused.txt")
DIALECT: Any = dialect()  # type: ignore[no-untyped-call]
COUNT = 8
"""Elements of an array: enough for several shards. One element would need only a single shard."""
TEXTS = {"ips": "127.0.0.1"} | dict.fromkeys(["images", "topics", "links", "included"], "{}")
"""Values of text parameters that statements cast to another type, by parameter. Others are numbers."""
OTHERS: Mapping[str, Any] = {
    "bool": True,
    "bytea": b"1",
    "float8": 1.0,
    "jsonb": "{}",
    "timestamptz": datetime(2026, 1, 1, tzinfo=UTC),
}


@pytest.fixture(scope="module")
def coordinator() -> Iterator[str]:
    archive = os.environ.get(ARCHIVE)
    if not archive:
        pytest.skip(f"{ARCHIVE} does not name an archive of Citus")
    with citus(Path(archive)) as url:
        yield url


@pytest.mark.timeout(300)
async def test_a_distributed_database_refuses_only_listed_statements(coordinator: str) -> None:
    connection = await asyncpg.connect(coordinator)
    reasons = {name: await refusal(connection, statement) for name, statement in statements().items()}
    await connection.close()
    refused = {name: reason for name, reason in reasons.items() if reason}
    listed = {line.split()[0] for line in LIST.read_text().splitlines()}

    new = [f"{name}: {refused[name]}" for name in sorted(refused.keys() - listed)]
    assert not new, "Write these statements in a way that Citus accepts:\n" + "\n".join(new)
    accepted = sorted(listed - refused.keys())
    assert not accepted, f"Citus accepts these statements. Delete their lines from {LIST}:\n" + "\n".join(accepted)


def test_listed_statements_exist_and_have_a_reason() -> None:
    lines = [line.partition(" ") for line in LIST.read_text().splitlines()]
    names = [name for name, _, _ in lines]

    assert names == sorted(set(names))
    assert set(names) <= statements().keys(), "rename or delete the lines of statements that no longer exist"
    assert all(reason.strip() for _, _, reason in lines)


def statements() -> dict[str, TextClause]:
    """Returns all statements of the store by the expression that gives them."""
    found: dict[str, TextClause] = {}
    for module in pkgutil.walk_packages(store.__path__, "store."):
        found |= statements_of(importlib.import_module(module.name))
    return found


def statements_of(module: ModuleType) -> dict[str, TextClause]:
    """Returns the statements at module level, also those of keysets and comparisons, and those that functions build
    from the elements of a tuple.
    """
    found: dict[str, TextClause] = {}
    for name, value in vars(module).items():
        if isinstance(value, TextClause):
            found[f"{module.__name__}.{name}"] = value
        elif isinstance(value, Keyset | Comparison):
            found[f"{module.__name__}.{name}"] = value.statement
        elif isinstance(value, tuple) and value and all(isinstance(element, Keyset | Comparison) for element in value):
            found |= {f"{module.__name__}.{name}[{place}]": element.statement for place, element in enumerate(value)}
        elif inspect.isfunction(value) and value.__annotations__.get("return") is TextClause:
            built = {f"{module.__name__}.{name}({one})": value(it) for one, it in arguments(module, value).items()}
            assert built, f"no tuple in {module.__name__} has arguments for {name}"
            found |= built
    return found


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
    compiled = statement.compile(dialect=DIALECT)
    transaction = connection.transaction()
    await transaction.start()
    try:
        prepared = await connection.prepare(str(compiled))
        named = zip(compiled.positiontup or (), prepared.get_parameters(), strict=True)
        await prepared.fetch(*(argument(place, name, type_) for place, (name, type_) in enumerate(named)))
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
