"""Checks which decisions suspended moderators may make, and that no moderator suspends or reinstates themselves."""

import pytest

from tests.support.comments import added
from tests.support.follows import refusal
from tests.support.posts import published
from tests.support.reports import queued, reported
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.suspensions import reinstate, suspend
from tests.support.system import Person, System

DECISIONS = {
    "assign": "targetId: $post",
    "resolveReports": 'targetId: $post, resolution: DISMISS, reason: "because"',
    "moderate": 'targetId: $post, decision: REJECT, reason: "because"',
    "deleteComment": "commentId: $comment",
    "warnUser": 'userId: $user, reason: "because"',
    "suspendUser": 'userId: $user, mode: HIDDEN, reason: "because"',
    "reinstateUser": "userId: $user",
}


async def scene(system: System) -> tuple[Person, Person, dict[str, str]]:
    """Returns two moderators, mia and noor, and the ids of a reported post, a comment and their author."""
    alice, mia, noor = system.person("alice"), system.person("mia", "moderate"), system.person("noor", "moderate")
    (post,) = await published(alice, "a post")
    await system.drain()
    comment = await added(alice, post, "a comment")
    await system.drain()
    await reported(system.person("bob"), post)
    await noor.id()
    await system.drain()
    return mia, noor, {"post": post, "comment": comment, "user": await alice.id()}


async def decided(moderator: Person, ids: dict[str, str]) -> dict[str, list[str]]:
    """Sends each decision in a request of its own. Returns the codes of the user errors by mutation."""
    found = {}
    for name, values in DECISIONS.items():
        (kind,) = (one for one in ids if f"${one}" in values)
        query = f"mutation (${kind}: ID!) {{ {name}(input: {{ {values} }}) {{ userErrors {{ code }} }} }}"
        payload = (await moderator.ask(query, **{kind: ids[kind]}))[name]
        found[name] = [error["code"] for error in payload["userErrors"]]
    return found


@standalone
@pytest.mark.parametrize("mode", ["READ_ONLY", "HIDDEN"])
async def test_a_suspended_moderator_reads_the_queue_and_decides_nothing(system: System, mode: str) -> None:
    mia, noor, ids = await scene(system)
    await suspend(noor, await mia.id(), mode)
    await system.drain()

    async with unchanged(system):
        assert await queued(mia) == {ids["post"]: 1}
        assert await decided(mia, ids) == {name: ["SUSPENDED"] for name in DECISIONS}

    await reinstate(noor, await mia.id())
    assert await decided(mia, ids) == {name: [] for name in DECISIONS}


@standalone
async def test_a_moderator_with_a_shadow_suspension_decides(system: System) -> None:
    mia, noor, ids = await scene(system)
    await suspend(noor, await mia.id(), "SHADOW")

    assert await decided(mia, ids) == {name: [] for name in DECISIONS}


@standalone
async def test_no_moderator_suspends_or_reinstates_themselves(system: System) -> None:
    mia, noor, _ = await scene(system)
    own = await mia.id()
    await suspend(noor, own, "SHADOW")
    await system.drain()

    async with unchanged(system):
        assert refusal(await suspend(mia, own)) == ("NOT_ALLOWED", ["userId"])
        assert refusal(await reinstate(mia, own)) == ("NOT_ALLOWED", ["userId"])
