"""The end of a suspension by time: a worker clears it and adds a line to the moderation log."""

import asyncio
import json
from typing import Any

import pytest

from store.people import users
from tests.support.stores import standalone
from tests.support.suspensions import AFTER_FAR_MS, FAR, moderator, reinstate, suspend, suspension
from tests.support.system import System
from workers import suspensions

CARD = "query ($id: ID!) { node(id: $id) { ... on User { handle } } }"
LOG = """{ moderationLog(first: 10) { nodes {
  createdAt action role actor { handle } target { id } user { id } before after reason } } }"""
STORED = "SELECT suspended, suspended_until_ms, suspension_reason FROM users WHERE handle = 'bob'"
VERSION = "SELECT version FROM users WHERE handle = 'bob'"
BEFORE_FAR_MS = AFTER_FAR_MS - 3 * 366 * 86_400_000
AFTER_FAR = "2100-06-01T00:00:00.000Z"


def at(system: System, now_ms: int) -> None:
    """Sets the clock of a system."""
    object.__setattr__(system.state, "now_ms", lambda: now_ms)


async def expire(system: System) -> None:
    """Moves the end of bob's suspension to the present."""
    now_ms = system.state.now_ms()
    await system.rows(f"UPDATE users SET suspended_until_ms = {now_ms} WHERE handle = 'bob' RETURNING 1")  # noqa: S608


async def sweep(system: System) -> None:
    await suspensions.sweep(system.state, lambda: True)


async def lines(system: System) -> list[Any]:
    """Returns the lines of the moderation log, oldest first."""
    return list(reversed((await moderator(system).ask(LOG))["moderationLog"]["nodes"]))


async def actions(system: System) -> list[tuple[str, str | None]]:
    return [(line["action"], json.loads(line["before"])["mode"]) for line in await lines(system)]


async def test_a_suspension_that_has_ended_is_cleared_and_has_one_line(system: System) -> None:
    bob, alice = await system.person("bob").id(), system.person("alice")
    await suspend(moderator(system), bob, until=FAR)
    await sweep(system)
    assert (await alice.ask(CARD, id=bob))["node"] is None
    ((version,),) = await system.rows(VERSION)

    at(system, AFTER_FAR_MS)
    assert (await alice.ask(CARD, id=bob))["node"] == {"handle": "bob"}
    await suspensions.sweep(system.state, lambda: False)
    assert [action for action, _ in await actions(system)] == ["SUSPENDED"], "only the leader clears suspensions"
    await asyncio.gather(sweep(system), sweep(system))
    await sweep(system)

    assert await system.rows(STORED) == [(None, None, None)]
    assert await system.rows(VERSION) == [(version + 1,)]
    assert (await alice.ask(CARD, id=bob))["node"] == {"handle": "bob"}
    assert await suspension(moderator(system), bob) is None
    at(system, BEFORE_FAR_MS)
    assert (await alice.ask(CARD, id=bob))["node"] == {"handle": "bob"}, "no cache has the suspension"
    _, ended = await lines(system)
    states = {"before": {"mode": "HIDDEN", "until": FAR.replace(".000Z", "Z")}, "after": {"mode": None, "until": None}}
    assert {name: json.loads(ended.pop(name)) for name in states} == states
    assert ended == {
        "createdAt": FAR,
        "action": "SUSPENSION_ENDED",
        "role": "SYSTEM",
        "actor": None,
        "target": {"id": bob},
        "user": {"id": bob},
        "reason": "spam",
    }


@standalone
async def test_a_suspension_that_is_renewed_meanwhile_stays(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)
    await suspend(mia, bob, until=FAR)
    await expire(system)
    find = users.with_ended_suspension

    async def find_and_renew(*arguments: Any) -> list[int]:
        found = await find(*arguments)
        await suspend(mia, bob, "READ_ONLY", until=AFTER_FAR, reason="more spam")
        assert len(found) == 1
        return found

    monkeypatch.setattr(users, "with_ended_suspension", find_and_renew)
    await sweep(system)

    assert await suspension(mia, bob) == {"mode": "READ_ONLY", "until": AFTER_FAR, "reason": "more spam"}
    assert await actions(system) == [("SUSPENDED", None), ("SUSPENSION_ENDED", "HIDDEN"), ("SUSPENDED", None)]


@standalone
async def test_a_suspension_that_has_ended_cannot_be_ended_by_a_moderator(system: System) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)
    await suspend(mia, bob, until=FAR)
    await expire(system)

    assert await reinstate(mia, bob) == {"user": {"id": bob, "suspension": None}, "userErrors": []}
    await sweep(system)

    assert [action for action, _ in await actions(system)] == ["SUSPENDED", "SUSPENSION_ENDED"]


@standalone
async def test_suspensions_that_last_are_not_cleared(system: System) -> None:
    mia = moderator(system)
    await suspend(mia, await system.person("bob").id())
    at(system, AFTER_FAR_MS)

    await sweep(system)

    assert [action for action, _ in await actions(system)] == ["SUSPENDED"]
    assert await system.rows(STORED) == [(2, None, "spam")]
