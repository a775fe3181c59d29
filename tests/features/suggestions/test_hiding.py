"""Who leaves the suggestions of a viewer, at once and after the list is computed again."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.support.boundaries import block, mute
from tests.support.follows import follow, unfollow
from tests.support.stores import standalone
from tests.support.suggestions import compute, dismiss, handles, suggested
from tests.support.system import Person, System
from tests.support.user_search import set_discoverable

pytestmark = standalone
PRIVATE = "mutation { updateProfile(input: {isPrivate: true}) { userErrors { code } } }"
SUSPEND = """mutation ($id: ID!) { suspendUser(input: {userId: $id, mode: %s, reason: "spam", ground: "spam"}) {
  userErrors { code } } }"""
CHANGES: dict[str, Callable[[Person, str], Awaitable[Any]]] = {
    "followed": follow,
    "unfollowed": unfollow,
    "blocked": block,
    "muted": mute,
    "dismissed": dismiss,
}
DELETE = "mutation { deleteUser(input: {mode: ERASE}) { userErrors { code } } }"


async def second_degree(system: System) -> tuple[Person, Person, dict[str, str]]:
    """Returns alice, who follows bob and carol, and dave, whom bob follows. Also the ids of all four by handle."""
    names = "alice", "bob", "carol", "dave"
    ids = {name: await system.person(name).id() for name in names}
    alice, bob, _, dave = map(system.person, names)
    await follow(alice, ids["bob"], ids["carol"])
    await follow(bob, ids["dave"])
    await compute(system, alice)
    assert await handles(alice) == ["dave"]
    return alice, dave, ids


async def hide(how: str, system: System, alice: Person, dave: Person, ids: dict[str, str]) -> None:
    """Makes dave a user who may not be suggested to alice."""
    if how in ("HIDDEN", "SHADOW"):
        await system.person("mod", "moderate").ask(SUSPEND % how, id=ids["dave"])
    elif how == "asked":
        await dave.ask(PRIVATE)
        assert await handles(alice) == ["dave"]
        await follow(alice, ids["dave"])
    elif how == "deleted":
        await dave.ask(DELETE)
    elif how == "blocks":
        await block(dave, ids["alice"])
    else:
        await CHANGES[how](alice, ids["dave"])


@pytest.mark.parametrize("moderates", [False, True], ids=["user", "moderator"])
@pytest.mark.parametrize(
    "how", ["followed", "asked", "blocked", "blocks", "muted", "dismissed", "HIDDEN", "SHADOW", "deleted"]
)
async def test_a_suggestion_ends_at_once_and_does_not_come_back(system: System, how: str, moderates: bool) -> None:
    alice, dave, ids = await second_degree(system)
    if moderates:
        alice = system.person("alice", "moderate")
    await hide(how, system, alice, dave, ids)
    assert await handles(alice) == []
    await system.drain()
    assert await handles(alice) == []
    await compute(system, alice)
    assert await handles(alice) == []


async def test_users_who_do_not_want_to_be_found_are_not_suggested(system: System) -> None:
    alice, dave, _ = await second_degree(system)
    await set_discoverable(dave, False)
    await system.drain()
    assert await handles(alice) == []
    await compute(system, alice)
    assert await handles(alice) == []
    await set_discoverable(dave, True)
    await compute(system, alice)
    assert await handles(alice) == ["dave"]


@pytest.mark.parametrize("how", ["unfollowed", "blocked", "muted", "suspended"])
async def test_a_reason_names_only_users_whom_the_viewer_follows_and_sees(system: System, how: str) -> None:
    alice, _, ids = await second_degree(system)
    await follow(system.person("carol"), ids["dave"])
    await compute(system, alice)
    (before,) = await suggested(alice)
    assert (before["followedBy"], before["followedByCount"]) == (["carol", "bob"], 2)

    if how == "suspended":
        await system.person("mod", "moderate").ask(SUSPEND % "HIDDEN", id=ids["bob"])
    else:
        await CHANGES[how](alice, ids["bob"])
    for _ in ("at once", "computed again"):
        (after,) = await suggested(alice)
        assert (after["followedBy"], after["followedByCount"]) == (["carol"], 1)
        await compute(system, alice)
    await unfollow(alice, ids["carol"])
    assert await suggested(alice) == []
