"""Checks which writes suspended users may make."""

import pytest

from tests.support.comments import add
from tests.support.posts import publish
from tests.support.stores import standalone
from tests.support.suspended_writes import ACCEPTED, REFUSED, scene, write
from tests.support.suspensions import AFTER_FAR_MS, FAR, moderator, reinstate, suspend
from tests.support.system import System

MESSAGES = {None: "Your account is suspended.", FAR: "Your account is suspended until 2098-01-01T00:00:00Z."}
CONTENT = """SELECT (SELECT count(*) FROM reactions), (SELECT count(*) FROM follows WHERE lo_follows OR hi_follows),
  (SELECT array_agg(text ORDER BY text) FROM posts), (SELECT array_agg(text) FROM comment_contents),
  (SELECT bio FROM users WHERE handle = 'bob')"""


@standalone
@pytest.mark.parametrize("mode", ["READ_ONLY", "HIDDEN"])
@pytest.mark.parametrize("until", [None, FAR])
async def test_a_suspended_user_cannot_write_until_the_end(system: System, mode: str, until: str | None) -> None:
    bob, ids = await scene(system)
    await suspend(moderator(system), ids["bob"], mode, until)
    before = await system.rows(CONTENT)

    refused = [{"code": "SUSPENDED", "message": MESSAGES[until]}]
    for _ in ("once", "again"):
        assert await write(bob, ids, REFUSED, "k") == dict.fromkeys(REFUSED, refused)
    await system.drain()
    assert await system.rows(CONTENT) == before

    if until:
        object.__setattr__(system.state, "now_ms", lambda: AFTER_FAR_MS)
    else:
        await reinstate(moderator(system), ids["bob"])
    accepted = {name: values for name, values in REFUSED.items() if until is None or "$key" not in values}
    assert await write(bob, ids, accepted, "other") == {name: [] for name in accepted}


@standalone
@pytest.mark.parametrize("mode", ["READ_ONLY", "HIDDEN"])
async def test_a_suspended_user_can_undo_and_protect_themselves(system: System, mode: str) -> None:
    bob, ids = await scene(system)
    await suspend(moderator(system), ids["bob"], mode)

    assert await write(bob, ids, ACCEPTED, "k") == {name: [] for name in ACCEPTED}


@standalone
async def test_a_user_with_a_shadow_suspension_can_write(system: System) -> None:
    bob, ids = await scene(system)
    await suspend(moderator(system), ids["bob"], "SHADOW")

    assert await write(bob, ids, REFUSED, "k") == {name: [] for name in REFUSED}


@standalone
@pytest.mark.parametrize("recent", [True, False], ids=["in Redis", "only in Postgres"])
@pytest.mark.parametrize("mode", ["READ_ONLY", "HIDDEN"])
async def test_a_repeated_write_from_before_the_suspension_has_its_first_outcome(
    system: System, mode: str, recent: bool
) -> None:
    bob, ids = await scene(system)
    comment, post = await add(bob, ids["post"], "before", key="k"), await publish(bob, "a post", key="k")
    await system.drain()
    await suspend(moderator(system), ids["bob"], mode)
    if not recent:
        await system.empty_redis()

    for _ in ("once", "again"):
        again = await add(bob, ids["post"], "before", key="k")
        assert (again["comment"]["id"], again["userErrors"]) == (comment["comment"]["id"], [])
        again = await publish(bob, "a post", key="k")
        assert (again["post"]["id"], again["userErrors"]) == (post["post"]["id"], [])
    other = await publish(bob, "another post", key="k")
    assert [error["code"] for error in other["userErrors"]] == ["IDEMPOTENCY_MISMATCH"]


@standalone
async def test_every_repeated_write_from_before_the_suspension_has_its_first_outcome(system: System) -> None:
    bob, ids = await scene(system)
    keyed = {
        name: values if "$key" in values else f"{values}, idempotencyKey: $key"
        for name, values in REFUSED.items()
        if name != "updateProfile"  # takes no key
    }
    assert await write(bob, ids, keyed, "k") == {name: [] for name in keyed}
    await suspend(moderator(system), ids["bob"])

    assert await write(bob, ids, keyed, "k") == {name: [] for name in keyed}
