"""Suspensions in the journal: lost by Postgres, applied again, out of order."""

import json
from typing import Any

import orjson
import pytest

from models.counters import EntityRef
from models.moderation_steps import SUSPEND
from models.users import SuspensionMode
from projections.apply import apply
from projections.entries.suspensions import Suspended
from settings import USERS
from store.write_log import dead_letters
from tests.support.citus import one_server
from tests.support.fallback_mode import directly
from tests.support.interrupting import run_after
from tests.support.journal_entries import append, someone
from tests.support.stores import standalone
from tests.support.suspensions import moderator, reinstate, suspend, suspension
from tests.support.system import Person, System

LOG = "{ moderationLog(first: 10) { nodes { action actor { handle } after reason } } }"
SHOWN = {"mode": "HIDDEN", "until": None, "reason": "spam"}
FREE = """SELECT count(*) FROM (SELECT p FROM partitions FOR UPDATE SKIP LOCKED) AS unlocked
  UNION ALL SELECT count(*) FROM (SELECT user_id FROM users FOR UPDATE SKIP LOCKED) AS unlocked"""
LOSE = """WITH lost AS (DELETE FROM moderation_log)
  UPDATE users SET suspended = NULL, suspension_reason = NULL, suspension_version = 0 RETURNING 1"""


async def lines(moderator: Person) -> list[tuple[str, str | None]]:
    """Returns the actions of the moderation log and the modes after them, oldest first. The mode is "none" if a
    decision had no effect.
    """
    nodes = (await moderator.ask(LOG))["moderationLog"]["nodes"]
    return [
        (node["action"], json.loads(node["after"])["mode"] if node["after"] else "none") for node in reversed(nodes)
    ]


async def test_a_suspension_that_postgres_has_lost_is_applied_from_the_journal(system: System) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)
    await suspend(mia, bob)
    await system.rows(LOSE)

    await system.drain()

    assert await suspension(mia, bob) == SHOWN
    assert await lines(mia) == [("SUSPENDED", "HIDDEN")]


@standalone
@one_server
@pytest.mark.parametrize("waits", ["patches.append", "cache.drop"])
async def test_no_row_is_locked_while_a_suspension_waits_for_redis(
    system: System, monkeypatch: pytest.MonkeyPatch, waits: str
) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)
    free = []

    async def count_free() -> None:
        free.extend(await system.rows(FREE))

    where, method = waits.split(".")
    run_after(monkeypatch, getattr(system.state, where), method, count_free)
    await suspend(mia, bob)

    assert free == [(system.settings.partitions,), (2,)]


@standalone
async def test_a_worker_that_applies_a_suspension_again_changes_nothing(system: System) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)
    await suspend(mia, bob)
    await reinstate(mia, bob)
    before = await system.rows("SELECT users::text FROM users ORDER BY 1")

    await system.drain()

    assert await system.rows("SELECT users::text FROM users ORDER BY 1") == before
    assert await suspension(mia, bob) is None
    assert await lines(mia) == [("SUSPENDED", "HIDDEN"), ("REINSTATED", None)]


@standalone
async def test_an_older_decision_of_another_moderator_changes_nothing_and_has_a_line(system: System) -> None:
    bob, mia = await someone(system, "bob"), moderator(system)
    newer = Suspended(1, 2 << 40, bob.user_id, EntityRef(USERS, bob.user_id), None, None, None)
    older = Suspended(0, 1 << 40, bob.user_id, newer.ref, SuspensionMode.SHADOW, None, "late")
    for event in (newer, older, newer, older):
        async with system.state.postgres.transaction() as transaction:
            await apply(system.state, transaction, [event])

    assert await suspension(mia, await bob.person.id()) is None
    assert await lines(mia) == [("SUSPENDED", "none")]


async def test_a_suspension_during_direct_writes_lasts(system: System) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)
    await suspend(mia, bob, "READ_ONLY")
    async with directly(system):
        await suspend(mia, bob)
        assert await suspension(mia, bob) == SHOWN
    await system.drain()

    assert await suspension(mia, bob) == SHOWN
    assert await lines(mia) == [("SUSPENDED", "READ_ONLY"), ("SUSPENDED", "HIDDEN")]


@standalone
@pytest.mark.parametrize("wrong", [{"mode": 9}, {"mode": "HIDDEN"}, {"until": 1 << 60}, {"until": "soon"}])
async def test_a_malformed_suspension_is_a_dead_letter(system: System, wrong: dict[str, Any]) -> None:
    bob = await someone(system, "bob")
    data = {"actor": bob.user_id, "business": USERS, "entity": bob.user_id, "mode": 2, "until": None, "reason": "spam"}

    await append(system, bob.partition, {"kind": SUSPEND, "data": orjson.dumps(data | wrong)})
    await system.drain()

    assert len(await dead_letters.read(system.state.postgres)) == 1
    assert await suspension(moderator(system), await bob.person.id()) is None
