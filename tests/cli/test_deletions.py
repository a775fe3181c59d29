"""`plaudit deletions` and `plaudit hold`, as operators use them."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.support import erasing
from tests.support.comments import added
from tests.support.deletions import delete, deletion, finish, step
from tests.support.posts import publish
from tests.support.reconciliation import execute
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])


async def run(plaudit: Callable[..., Result], *words: object) -> Result:
    """Runs a command beside the system of the test."""
    return await asyncio.to_thread(plaudit, *words)


async def test_a_legal_hold_stops_a_deletion_until_it_is_lifted(system: System, plaudit: Callable[..., Result]) -> None:
    alice = system.person("alice")
    await publish(alice, "evidence")
    await system.drain()
    assert (await run(plaudit, "hold", "set", "alice", "--reason", "court [7]")).exit_code == 0
    await delete(alice)
    for _ in range(3):
        assert await step(system) == 0
    (row,) = json.loads((await run(plaudit, "deletions", "list", "--json")).stdout)
    assert (row["user"], row["state"], row["mode"]) == (await_id := row["user"], "HELD", "ERASE")
    assert "court [7]" in (await run(plaudit, "hold", "list")).stdout

    assert (await run(plaudit, "hold", "lift", await_id)).exit_code == 0
    await finish(system)
    (row,) = json.loads((await run(plaudit, "deletions", "list", "--json")).stdout)
    assert row["state"] == "DONE"
    assert row["removed"] > 0
    assert (await run(plaudit, "hold", "lift", await_id)).exit_code == 1
    assert (await run(plaudit, "hold", "set", "nobody", "--reason", "x")).exit_code == 1


async def test_the_check_finds_planted_remains_and_nothing_else(system: System, plaudit: Callable[..., Result]) -> None:
    alice = system.person("alice")
    number = (await alice.id()).removeprefix("User:")
    post = (await publish(alice, "a secret thought"))["post"]["id"].removeprefix("Post:")
    await system.drain()
    await delete(alice)
    await finish(system)
    assert await alice.errors("{ viewer { id } }")  # the empty profile is cached then
    words = "deletions", "check", number, "--text", "alice", "--text", "secret", "--json"
    clean = await run(plaudit, *words)
    assert clean.exit_code == 0, clean.stdout
    assert {row["place"] for row in json.loads(clean.stdout) if row["found"] == "alice"} == {"handles"}

    await execute(system, f"UPDATE posts SET text = 'a secret' WHERE post_id = {post}")  # noqa: S608
    await execute(
        system,
        f"INSERT INTO traces (author_id, business_id, entity_id, at_ms, links) "  # noqa: S608
        f"VALUES ({number}, 2, 1, 1, '{{}}')",
    )
    await system.state.redis("SET", "{planted}", number, write=True)
    planted = await run(plaudit, *words)
    assert planted.exit_code == 2
    left = {row["place"] for row in json.loads(planted.stdout) if row["mayStay"] is None}
    assert left == {"posts", "traces", "{planted}"}


async def test_the_check_searches_for_an_erased_entity(system: System, plaudit: Callable[..., Result]) -> None:
    (video,) = await system.videos("v1")
    await added(system.person("alice"), video, "a secret remark")
    await system.drain()
    words = "deletions", "check", video, "--text", "secret", "--json"
    assert (await run(plaudit, *words)).exit_code == 1
    await erasing.erase(system.person("registrar", "entities:write"), video)
    assert (await run(plaudit, *words)).exit_code == 2
    await erasing.finish(system)

    clean = await run(plaudit, *words)
    assert clean.exit_code == 0, clean.stdout
    assert {row["place"] for row in json.loads(clean.stdout)} == {"entities", "erasures"}
    (listed,) = json.loads((await run(plaudit, "deletions", "entities", "--json")).stdout)
    assert (listed["entity"], listed["state"], listed["removed"] > 1) == (video, "DONE", True)
    await execute(system, "UPDATE entities SET title = 'a secret' WHERE erased")
    assert (await run(plaudit, *words)).exit_code == 2


async def test_deletions_are_requested_again_after_a_restored_backup(
    system: System, plaudit: Callable[..., Result], tmp_path: Path
) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    ids = [await alice.id(), await bob.id()]
    await delete(alice, "ANONYMIZE", 0)
    await delete(bob, "ERASE", 20)
    await system.drain()
    listed = tmp_path / "deletions.json"
    listed.write_text((await run(plaudit, "deletions", "list", "--json")).stdout)
    rows = json.loads(listed.read_text())
    listed.write_text(json.dumps([*rows, {**rows[0], "user": "User:1"}]))
    await execute(
        system,
        "DELETE FROM deletions",
        "UPDATE users SET deletion = NULL, deletion_mode = NULL, deletion_due_ms = NULL, "
        "deletion_version = 0, version = version + 1",
    )
    await system.state.cache.drop({f"{{user:{id_.removeprefix('User:')}}}" for id_ in ids})
    assert await deletion(alice) is None

    replayed = await run(plaudit, "deletions", "replay", listed)
    assert replayed.stdout == "Requested 2 deletions. Workers begin with those that are due.\n"
    await system.drain()
    assert [(await deletion(one))["mode"] for one in (alice, bob)] == ["ANONYMIZE", "ERASE"]
    again = json.loads((await run(plaudit, "deletions", "list", "--json")).stdout)
    assert {row["user"]: row["dueAt"][:16] for row in again}[ids[1]] == rows[1]["dueAt"][:16]
    assert (await run(plaudit, "deletions", "replay", listed)).stdout.startswith("Requested 0 deletions.")
