"""Without a terminal, every command that prints a table prints whole values, whatever COLUMNS says."""

import asyncio
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import Result

from store.write_log.dead_letters import write
from store.write_log.journal import Entry
from tests.support.persisted_operations import ME, manifest
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])
LONG = "x" * 300


async def run(plaudit: Callable[..., Result], *words: object) -> list[str]:
    """Returns the lines of the output on a narrow terminal that is none."""
    return (await asyncio.to_thread(plaudit, *words, COLUMNS="80")).stdout.splitlines()


async def test_dead_letters_are_whole(system: System, plaudit: Callable[..., Result]) -> None:
    async with system.state.postgres.transaction() as transaction:
        await write(transaction, [(Entry(3, 1 << 60, {b"data": LONG.encode()}), f"error {LONG}")])

    (row,) = [line for line in await run(plaudit, "dead-letters", "list") if str(1 << 60) in line]

    assert f"data={LONG}" in row
    assert f"error {LONG}" in row


async def test_persisted_operations_are_whole(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    name = "N" * 200
    id_ = sha256(ME.encode()).hexdigest()
    file = manifest(tmp_path, "a.json", **{id_: ME.replace("query Me", f"query {name}")})
    client = ("--client", "c" * 90, "--client-version", "v" * 90)

    tables = [
        await run(plaudit, "persisted", "check", file),
        [*await run(plaudit, "persisted", "import", file, *client), *await run(plaudit, "persisted", "list")],
        await run(plaudit, "persisted", "versions"),
    ]

    assert [line for line in tables[0] if id_ in line and "a.json" in line]
    assert [line for line in tables[1] if id_ in line and "a.json" in line]
    assert [line for line in tables[2] if "c" * 90 in line and "v" * 90 in line]
    bad = manifest(tmp_path, "bad.json", **{"b" * 64: "{ " + "f" * 90 + " }"})
    assert [line for line in await run(plaudit, "persisted", "import", bad) if "b" * 64 in line and "f" * 90 in line]


async def test_webhooks_and_word_lists_are_whole(
    system: System, plaudit: Callable[..., Result], tmp_path: Path
) -> None:
    (tmp_path / "words").write_text("reject spam\n")
    await run(plaudit, "webhooks", "add", "receiver", f"https://receiver.example/{LONG}")
    await run(plaudit, "words", "set", tmp_path / "words", "--by", LONG, "--reason", LONG)

    assert [line for line in await run(plaudit, "webhooks", "list") if f"https://receiver.example/{LONG}" in line]
    logged = await system.state.postgres.read(text("SELECT count(*) FROM word_lists"))
    assert logged[0][0] == 1
    assert [line for line in await run(plaudit, "words", "log") if line.count(LONG) == 2]
