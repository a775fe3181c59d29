"""SQL, Redis keys, Redis commands and scripts are only in store/. Other code calls its functions."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from redis.commands import CoreCommands

ROOT = Path(__file__).parents[2]
ELSEWHERE = {
    "alembic": "migrations are SQL",
    "models": "declares the tables",
    "dependencies": "names parts of the drivers for store/",
    "runner": "creates databases and roles, and starts servers",
    "bench": "compares the store with bare drivers",
    "docs": "has examples for other systems",
    "tests": "looks at rows and keys behind the store's back",
}
EXCEPTIONS = {
    ("state.py", "imports store.keys.Keys"): "the composition root says once how many partitions there are",
}

DRIVERS = {"sqlalchemy", "asyncpg", "psycopg", "redis", "valkey"}
ERRORS = {"sqlalchemy.exc", "redis.exceptions"}
"""Modules with only the drivers' exceptions, which other code may import."""
OURS = {"store.keys", "store.scripts", "dependencies.asyncpg", "dependencies.redis", "dependencies.sqlalchemy"}
COMMANDS = {name.upper() for name in dir(CoreCommands) if not name.startswith("_")} | {"DEL", "EXEC", "MULTI"}
ASKED = {
    "redis": {"client", "clock_ms", "gather", "get_many", "publish_command", "run", "run_many", "scan"},
    "postgres": {"read", "read_unqueued", "write"},
    "transaction": {"changed", "execute"},
    "connection": {"execute"},
    "keys": {
        "generation",
        "journal",
        "operation",
        "patches",
        "pending",
        "pending_follows",
        "reactions",
        "seen",
        "viewed",
    },
}
"""Names of calls that take statements, commands, keys or scripts."""
SQL = re.compile(
    r"\s*(SELECT|INSERT INTO|UPDATE \w+|DELETE FROM|WITH \w+|CREATE|ALTER|DROP|TRUNCATE|COPY|LOCK|SET|SHOW) "
)


def findings(source: str) -> Iterator[str]:
    """Yields the violations in a module's source."""
    for node in ast.walk(ast.parse(source)):
        yield from _literals(node)
        match node:
            case ast.Import(names=names):
                yield from _imports(alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield from _imports(f"{module}.{alias.name}" for alias in names)
            case ast.Call(func=ast.Name(id="redis") | ast.Attribute(attr="redis")):
                yield f"sends a command: {ast.unparse(node)}"
            case ast.Attribute(value=ast.Name(id=name) | ast.Attribute(attr=name)) if node.attr in _asked(name):
                yield f"asks a store itself: {ast.unparse(node)}"


def _literals(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)) if SQL.match(text):
            yield f"holds SQL: {text.strip()[:60]}"
        case ast.Constant(value=str(text)) if text.endswith(".lua"):
            yield f"names a script: {text}"
        case ast.Call(args=[ast.Constant(value=str(text)), *_]) | ast.Tuple(elts=[ast.Constant(value=str(text)), *_]):
            if (command := text.replace(" ", "_")) in COMMANDS:
                yield f"holds a Redis command: {command}"


def _imports(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        driver = name.partition(".")[0] in DRIVERS and not any(f"{name}.".startswith(f"{one}.") for one in ERRORS)
        if driver or any(f"{name}.".startswith(f"{one}.") for one in OURS):
            yield f"imports {name}"


def _asked(name: str) -> set[str]:
    return ASKED.get(name.lstrip("_"), set())


def modules() -> Iterator[Path]:
    """Yields the project's modules outside of store/, except those in the folders above."""
    for top in sorted(ROOT.iterdir()):
        if top.suffix == ".py":
            yield top
        elif not top.name.startswith(".") and top.name not in {"store", "build", "dist", *ELSEWHERE}:
            yield from sorted(top.rglob("*.py"))


def test_no_module_outside_store_has_statements_keys_commands_or_scripts() -> None:
    found = {(str(path.relative_to(ROOT)), what) for path in modules() for what in findings(path.read_text())}
    assert sorted(found - EXCEPTIONS.keys()) == []
    assert sorted(EXCEPTIONS.keys() - found) == [], "remove unused exceptions"


def test_modules_of_every_layer_are_checked() -> None:
    tops = {path.relative_to(ROOT).parts[0] for path in modules()}
    assert tops >= {
        "api",
        "checks",
        "cli",
        "commands",
        "loaders",
        "projections",
        "resolvers",
        "schema",
        "seed",
        "workers",
    }
    assert {"app.py", "context.py", "server.py", "state.py"} <= tops


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("from sqlalchemy import text", "imports sqlalchemy.text"),
        ("from sqlalchemy import select, func", "imports sqlalchemy.select"),
        ("import sqlalchemy as sa", "imports sqlalchemy"),
        ("import asyncpg", "imports asyncpg"),
        ("from redis import asyncio", "imports redis.asyncio"),
        ("from store import keys", "imports store.keys"),
        ("from store.keys import likers", "imports store.keys.likers"),
        ("from store.scripts import REACT", "imports store.scripts.REACT"),
        ("from dependencies.redis import Connection", "imports dependencies.redis.Connection"),
        ("await state.redis('PFADD', key)", "sends a command: state.redis('PFADD', key)"),
        ("await redis(*command)", "sends a command: redis(*command)"),
        ("await state.cache.redis.run(script, keys, args)", "asks a store itself: state.cache.redis.run"),
        ("await self._redis.gather(commands)", "asks a store itself: self._redis.gather"),
        ("await client.gather([('UNLINK', key) for key in old])", "holds a Redis command: UNLINK"),
        ("await server.ask('CONFIG GET', '*')", "holds a Redis command: CONFIG_GET"),
        ("await state.postgres.read(statement)", "asks a store itself: state.postgres.read"),
        ("await transaction.execute(statement)", "asks a store itself: transaction.execute"),
        ("key = state.keys.pending(actor_id)", "asks a store itself: state.keys.pending"),
        ("statement = 'SELECT 1'", "holds SQL: SELECT 1"),
        ("statement = f'DELETE FROM {table}'", "holds SQL: DELETE FROM"),
        ("path = 'write.lua'", "names a script: write.lua"),
    ],
)
def test_each_kind_of_violation_is_found(source: str, what: str) -> None:
    assert what in set(findings(source))


@pytest.mark.parametrize(
    "source",
    [
        "from sqlalchemy.exc import DBAPIError",
        "from redis.exceptions import ResponseError",
        "from store.redis.client import RedisDown",
        "partition = state.keys.partition_of(actor_id)",
        "away = state.redis.is_unavailable",
        "async with state.postgres.transaction() as transaction:\n    await likes.write(transaction, rows)",
        "request = client.stream('POST', url)",
    ],
)
def test_permitted_code_is_not_a_violation(source: str) -> None:
    assert list(findings(source)) == []
