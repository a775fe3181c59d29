"""`plaudit export`: files, standard output, and who is named."""

import asyncio
import json
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.support.exports import downloaded, records_in
from tests.support.follows import registered
from tests.support.posts import published
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


async def test_everything_is_written_to_a_file_that_only_its_owner_reads(
    system: System, plaudit: Callable[..., Result], tmp_path: Path
) -> None:
    await published(system.person("alice"), "hello")
    await system.drain()
    file = tmp_path / "everything.jsonl"

    result = await asyncio.to_thread(plaudit, "export", file)

    assert (result.exit_code, result.stdout) == (0, f"Wrote 2 records to {file}.\n")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [(line["kind"], line.get("author")) for line in lines] == [("user", None), ("post", "alice")]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [file]


async def test_one_person_is_named_by_handle_or_id(
    system: System, plaudit: Callable[..., Result], tmp_path: Path
) -> None:
    alice = system.person("alice")
    download = (await downloaded(alice)).content
    file = tmp_path / "alice.jsonl"
    results = []
    for name in ("alice", "ALICE", await alice.id()):
        results.append(await asyncio.to_thread(plaudit, "export", "--user", name, file))
        assert file.read_bytes() == download
        file.unlink()

    assert [result.exit_code for result in results] == [0, 0, 0]
    printed = await asyncio.to_thread(plaudit, "export", "--user", "alice", "-")
    assert printed.stdout.encode() == download
    assert [one["kind"] for one in records_in(download)] == ["account", "user"]


async def test_users_of_a_named_issuer_are_named_without_it(system: System, plaudit: Callable[..., Result]) -> None:
    await registered(system, "alice")

    default = await asyncio.to_thread(plaudit, "export", "-")
    other = await asyncio.to_thread(plaudit, "export", "--issuer", "https://other.test", "-")

    users = [[json.loads(line) for line in result.stdout.splitlines()] for result in (default, other)]
    assert "issuer" not in users[0][0]
    assert {user["issuer"] for user in users[1]} == {"https://plaudit.local"}


@pytest.mark.parametrize("name", ["nobody", "User:77", "User:x", "no handle at all", ""])
async def test_an_unknown_user_leaves_no_file(name: str, plaudit: Callable[..., Result], tmp_path: Path) -> None:
    result = await asyncio.to_thread(plaudit, "export", "--user", name, tmp_path / "file")

    assert result.exit_code == 1
    assert result.stderr.startswith("There is no user")
    assert list(tmp_path.iterdir()) == []


async def test_a_file_that_cannot_be_written_is_an_error(plaudit: Callable[..., Result], tmp_path: Path) -> None:
    result = await asyncio.to_thread(plaudit, "export", tmp_path / "missing" / "file")

    assert result.exit_code == 1
    assert "No such file or directory" in result.stderr
