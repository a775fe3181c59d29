"""Measures `plaudit import` of reactions, compared with COPY of the same rows into an empty table with the same
columns, defaults, keys and indexes. Uses stores of its own, because it empties tables.
"""

import asyncio
import io
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import asyncpg
import orjson

from bench import scratch
from bench.community import BUSINESS
from bench.machine import Machine, stores
from bench.results import Result, compared
from bench.rounds import alternate
from settings import Settings

_SCHEMA = "copied"
_VIDEOS, _REACTIONS_OF_A_USER = 2000, 50
_FIRST_SECOND = 1_580_000_000
"""The time of the first reaction, in seconds since the Unix epoch: January 2020. Each later one is 7 seconds newer."""


async def measure(machine: Machine) -> list[Result]:
    """Imports reactions into empty tables, and copies the rows of the import, in turns. Returns one result: the rows
    per second of both.
    """
    count, home = machine.sizes.imported_reactions, machine.home / "importing"
    home.mkdir()
    with ExitStack() as stack:
        settings = await asyncio.to_thread(stack.enter_context, stores(home))  # migrations run an event loop
        await _import(settings, _written(home / "people.jsonl", _people(count // _REACTIONS_OF_A_USER)))
        archive = _written(home / "reactions.jsonl", _reactions(count))
        await scratch.make(settings, _SCHEMA, ["reactions"])
        connection = await asyncpg.connect(settings.database_url)
        imported, copied = await alternate(
            machine.sizes.rounds, lambda: _imported(settings, connection, archive, count), lambda: _copied(connection)
        )
        await connection.close()
    what = f"rows/s of an import of {count:,} reactions (baseline: COPY)"
    return [compared("importing", what, imported, copied, at_least=0.5)]


def _written(archive: Path, records: Iterator[dict[str, Any]]) -> Path:
    with archive.open("wb") as file:
        file.writelines(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE) for record in records)
    return archive


def _people(count: int) -> Iterator[dict[str, Any]]:
    """Yields users and videos. Every fourth video has an owner."""
    for number in range(count):
        yield {"kind": "user", "externalId": f"u{number}", "handle": f"user{number}"}
    for number in range(_VIDEOS):
        owner = {"owner": f"u{number % count}"} if number % 4 == 0 else {}
        yield {"kind": "entity", "business": BUSINESS, "key": f"v{number}", **owner}


def _reactions(count: int) -> Iterator[dict[str, Any]]:
    """Yields likes by users of videos, each pair once, in no order."""
    users = count // _REACTIONS_OF_A_USER
    for number, place in enumerate(Random(1).sample(range(users * _VIDEOS), count)):
        created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(_FIRST_SECOND + number * 7))
        target = {"business": BUSINESS, "key": f"v{place // users}"}
        yield {"kind": "reaction", "user": f"u{place % users}", "target": target, "createdAt": created}


async def _import(settings: Settings, archive: Path) -> None:
    assert settings.jwt_secret
    environment = {
        "DATABASE_URL": settings.database_url,
        "REDIS_URL": settings.redis_url,
        "PLAUDIT_ENV": settings.env,
        "PLAUDIT_JWT_SECRET": settings.jwt_secret.get_secret_value(),
    }
    command: Sequence[str] = sys.executable, "-m", "plaudit", "import", str(archive), "--rejects", f"{archive}.rejects"
    process = await asyncio.create_subprocess_exec(
        *command, env=os.environ | environment, stdout=asyncio.subprocess.DEVNULL
    )
    assert await process.wait() == 0


async def _imported(settings: Settings, connection: asyncpg.Connection, archive: Path, count: int) -> float:
    """Empties the tables and runs the command. Returns the rows per second."""
    await connection.execute("TRUNCATE reactions, counters")
    began = time.perf_counter()
    await _import(settings, archive)
    taken = time.perf_counter() - began
    assert await connection.fetchval("SELECT count(*) FROM reactions") == count
    return count / taken


async def _copied(connection: asyncpg.Connection) -> float:
    """Copies the rows that were imported. Returns the rows per second, without the time in which the rows are read."""
    rows = io.BytesIO()
    await connection.copy_from_table("reactions", output=rows, format="binary")
    await connection.execute(f"TRUNCATE {_SCHEMA}.reactions")
    rows.seek(0)
    began = time.perf_counter()
    done = await connection.copy_to_table("reactions", schema_name=_SCHEMA, source=rows, format="binary")
    return int(done.removeprefix("COPY ")) / (time.perf_counter() - began)
