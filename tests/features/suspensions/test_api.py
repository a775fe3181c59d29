"""suspendUser, reinstateUser and User.suspension: answers, and refusals that change nothing."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from settings import Settings
from tests.support.follows import refusal
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.suspensions import (
    AFTER_FAR_MS,
    FAR,
    REINSTATE,
    SUSPEND,
    moderator,
    reinstate,
    suspend,
    suspension,
)
from tests.support.system import System, running

CARD = "query ($id: ID!) { node(id: $id) { ... on User { handle } } }"


async def test_a_new_suspension_replaces_an_earlier_one(system: System) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)

    first = await suspend(mia, bob, "READ_ONLY", reason="  spam ")
    second = await suspend(mia, bob, "HIDDEN", until=FAR, reason="more spam")
    last = await reinstate(mia, bob)

    shown = {"mode": "READ_ONLY", "until": None, "reason": "spam"}
    assert first == {"user": {"id": bob, "handle": "bob", "suspension": shown}, "userErrors": []}
    assert second["user"]["suspension"] == {"mode": "HIDDEN", "until": FAR, "reason": "more spam"}
    assert last == {"user": {"id": bob, "suspension": None}, "userErrors": []}


@standalone
@pytest.mark.parametrize(
    ("mode", "own", "others"),
    [("READ_ONLY", "READ_ONLY", [None, None]), ("HIDDEN", "HIDDEN", None), ("SHADOW", None, None)],
)
async def test_moderators_and_the_user_see_a_suspension(system: System, mode: str, own: Any, others: Any) -> None:
    bob, mia, alice = system.person("bob"), moderator(system), system.person("alice")
    b = await bob.id()
    await suspend(mia, b, mode)

    assert (await suspension(mia, b))["mode"] == mode
    seen = await suspension(bob, b)
    assert (seen and seen["mode"]) == own
    for reader in (alice, system.person(None)):
        if others is None:
            assert (await reader.ask(CARD, id=b))["node"] is None
        else:
            assert await suspension(reader, b) is None


@standalone
async def test_a_suspension_ends_by_itself(system: System) -> None:
    bob, alice = await system.person("bob").id(), system.person("alice")
    await suspend(moderator(system), bob, until=FAR)
    assert (await alice.ask(CARD, id=bob))["node"] is None

    object.__setattr__(system.state, "now_ms", lambda: AFTER_FAR_MS)

    assert (await alice.ask(CARD, id=bob))["node"] == {"handle": "bob"}
    assert await suspension(moderator(system), bob) is None


@standalone
async def test_to_reinstate_a_user_who_is_not_suspended_changes_nothing(system: System) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)

    assert await reinstate(mia, bob) == {"user": {"id": bob, "suspension": None}, "userErrors": []}
    await system.drain()

    assert await system.rows("SELECT suspended FROM users WHERE handle = 'bob'") == [(None,)]
    assert await system.rows("SELECT * FROM moderation_log") == []


@standalone
async def test_wrong_input_is_refused_and_changes_nothing(system: System) -> None:
    bob, mia = await system.person("bob").id(), moderator(system)
    (video,) = await system.videos("v1")
    await mia.id()

    async with unchanged(system):
        for id_ in ("User:7", video):
            assert refusal(await suspend(mia, id_)) == ("TARGET_NOT_FOUND", ["userId"])
            assert refusal(await reinstate(mia, id_)) == ("TARGET_NOT_FOUND", ["userId"])
        for reason, code in ((" ", "INVALID"), ("x" * 501, "TEXT_TOO_LONG"), ("a\0", "TEXT_INVALID")):
            assert refusal(await suspend(mia, bob, reason=reason)) == (code, ["reason"])
        for until in ("2001-01-01T00:00:00Z", "2099-01-01T00:00:00", "9999-12-31T23:59:59-12:00"):
            wrong = {"id": bob, "mode": "HIDDEN", "reason": "spam", "until": until}
            ((code, _),) = await mia.errors(SUSPEND, **wrong)
            assert code == "BAD_INPUT"
        assert await mia.errors(REINSTATE, id="bob") == [("BAD_INPUT", ["reinstateUser"])]


@standalone
async def test_a_caller_without_the_scope_is_refused(system: System) -> None:
    bob = await system.person("bob").id()
    values = {"id": bob, "mode": "HIDDEN", "reason": "spam"}
    callers = {"FORBIDDEN": system.person("alice", "users:write"), "UNAUTHENTICATED": system.person(None)}

    async with unchanged(system):
        for code, caller in callers.items():
            assert await caller.errors(SUSPEND, **values) == [(code, ["suspendUser"])]
            assert await caller.errors(REINSTATE, id=bob) == [(code, ["reinstateUser"])]


@standalone
async def test_the_process_that_suspends_applies_it_at_once(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(caches={"hot_reads": 64})) as system:
        bob, alice = await system.person("bob").id(), system.person("alice")
        for _ in range(200):  # the process keeps a local copy of the profile
            assert (await alice.ask(CARD, id=bob))["node"]

        await suspend(moderator(system), bob)

        assert (await alice.ask(CARD, id=bob))["node"] is None


@standalone
async def test_another_process_applies_a_suspension_within_a_second(make_settings: Callable[..., Settings]) -> None:
    settings = make_settings(caches={"hot_reads": 64}, local_cache_seconds=0.5)
    async with running(settings) as one, running(settings) as other:
        bob, alice = await one.person("bob").id(), other.person("alice")
        for _ in range(200):  # the process keeps a local copy of the profile
            assert (await alice.ask(CARD, id=bob))["node"]

        await suspend(moderator(one), bob)
        await asyncio.sleep(1)
        assert (await alice.ask(CARD, id=bob))["node"] is None

        await reinstate(moderator(one), bob)
        await asyncio.sleep(1)
        assert (await alice.ask(CARD, id=bob))["node"] == {"handle": "bob"}
