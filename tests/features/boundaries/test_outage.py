"""Blocks while a store is down: what cannot be checked is left out and named, and never shown."""

from collections.abc import Callable
from typing import Any

import pytest

from runner.postgres import Postgres
from runner.valkey import Valkey
from settings import Settings
from tests.support.boundaries import block, change
from tests.support.fallback_mode import directly
from tests.support.follow_checks import check_rows
from tests.support.outages import Away, both_ways, stopped
from tests.support.posts import publish
from tests.support.private_accounts import make_private
from tests.support.stores import standalone
from tests.support.suspensions import suspend
from tests.support.system import LENIENT, LIMITLESS, Person, System, running

POST = "query ($id: ID!) { node(id: $id) { ... on Post { text author { handle } } } }"
SQUARE = "{ square { nodes { text author { handle } } } viewer { user { handle } } }"
FOLLOW = "mutation ($id: ID!) { %s(input: {userId: $id}) { userErrors { code } } }"
PROFILE = "query ($id: ID!) { node(id: $id) { ... on User { handle viewerBlocks } } }"


async def relation_of(person: Person, user: str) -> str:
    shown = await person.ask("query ($id: ID!) { node(id: $id) { ... on User { viewerRelation } } }", id=user)
    return str(shown["node"]["viewerRelation"])


async def answer(person: Person, query: str, **variables: Any) -> tuple[Any, list[str], list[str]]:
    """Returns data, the codes of errors, and the coordinates of degraded fields."""
    body = (await person.send(query, **variables)).json()
    codes = [error["extensions"]["code"] for error in body.get("errors", [])]
    return body["data"], codes, [one["field"] for one in body["extensions"].get("degraded", [])]


async def separated(system: System) -> tuple[Person, Person, str, str, str]:
    """Returns alice, who blocks bob; carol; and the ids of bob, of his post and of carol's post. All are cached."""
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    await alice.id()
    b = await bob.id()
    theirs = (await publish(bob, "bob's post"))["post"]["id"]
    hers = (await publish(carol, "carol's post"))["post"]["id"]
    await system.drain()
    await block(alice, b)
    await system.drain()
    for person in (alice, carol, bob):
        await person.ask(SQUARE)
        for id_ in (theirs, hers):
            await person.ask(POST, id=id_)
    return alice, carol, b, theirs, hers


@standalone
@both_ways
async def test_cached_boundaries_hold_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice, carol, b, theirs, hers = await separated(system)

    async with away(postgres, system.state.postgres):
        assert (await answer(alice, POST, id=theirs)) == ({"node": None}, [], [])
        assert (await answer(alice, POST, id=hers))[0]["node"]["text"] == "carol's post"
        data, codes, degraded = await answer(alice, SQUARE)
        assert [node["text"] for node in data["square"]["nodes"]] == ["carol's post"]
        assert (codes, degraded) == ([], [])
        assert (await change(carol, "block", b))["userErrors"] == []
        assert (await answer(carol, POST, id=theirs))[0] == {"node": None}


@standalone
@both_ways
async def test_content_of_others_is_left_out_if_boundaries_cannot_be_read(
    system: System, postgres: Postgres, away: Away
) -> None:
    alice, _, _, theirs, hers = await separated(system)
    own = (await publish(alice, "alice's post"))["post"]["id"]
    await system.drain()
    await alice.ask(POST, id=own)
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")

    async with away(postgres, system.state.postgres):
        await system.state.boundaries.forget([user])
        for id_ in (theirs, hers):
            data, codes, _ = await answer(alice, POST, id=id_)
            assert (data["node"], codes) == (None, ["UNAVAILABLE"])
        assert (await answer(alice, POST, id=own))[0]["node"]["text"] == "alice's post"
        data, codes, _ = await answer(alice, SQUARE)
        assert (data["square"], codes) == (None, ["UNAVAILABLE"])
        assert data["viewer"]["user"] == {"handle": "alice"}
        anonymous = await answer(system.person(None), POST, id=theirs)
        assert anonymous[0]["node"]["text"] == "bob's post"


@standalone
@both_ways
async def test_boundaries_come_from_rows_while_redis_is_down(system: System, valkey: Valkey, away: Away) -> None:
    alice, _, b, theirs, hers = await separated(system)

    async with away(valkey, system.state.redis):
        for _ in range(3):
            data, codes, _ = await answer(alice, POST, id=theirs)
            assert data["node"] is None
            data, codes, _ = await answer(alice, POST, id=hers)
            assert codes in ([], ["UNAVAILABLE"])
            assert data["node"] is None or data["node"]["text"] == "carol's post"
        assert (await answer(alice, PROFILE, id=b))[0]["node"] is None


@standalone
@both_ways
@pytest.mark.parametrize("blocker", ["alice", "bob", None])
async def test_a_follow_is_refused_if_a_block_cannot_be_read(
    system: System, postgres: Postgres, away: Away, blocker: str | None
) -> None:
    alice, bob = system.person("alice", "moderate"), system.person("bob")  # a moderator finds also users behind a block
    a, b = await alice.id(), await bob.id()
    if blocker:
        await block(*((alice, b) if blocker == "alice" else (bob, a)))
    await system.drain()
    await alice.ask(PROFILE, id=b)
    await alice.ask(SQUARE)
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    state = system.state

    async with away(postgres, state.postgres):
        await state.boundaries.forget([user])
        await state.redis("DEL", state.keys.own_set("follow", user), write=True)
        assert await answer(alice, FOLLOW % "follow", id=b) == ({"follow": None}, ["UNAVAILABLE"], [])
        assert (await answer(alice, FOLLOW % "unfollow", id=b))[1] == []

    await system.drain()
    assert await system.rows("SELECT count(*) FROM follow_log WHERE follows") == [(0,)]


@standalone
async def test_a_follow_needs_only_the_cached_blocks(system: System, postgres: Postgres) -> None:
    alice, b = system.person("alice"), await system.person("bob").id()
    await alice.ask(PROFILE, id=b)
    await alice.ask(SQUARE)
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    state = system.state

    async with stopped(postgres, state.postgres):
        await state.redis("DEL", state.keys.own_set("follow", user), write=True)
        assert (await answer(alice, FOLLOW % "follow", id=b))[1] == []

    await system.drain()
    assert await system.rows("SELECT count(*) FROM follow_log WHERE follows") == [(1,)]


@standalone
async def test_a_block_that_was_read_late_ends_follows_that_were_written_directly(system: System) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    a, b, c = [await person.id() for person in (alice, bob, carol)]
    await block(alice, b)  # acknowledged by Redis, which goes down before a worker has read it
    await block(carol, a)

    async with directly(system):
        await change(carol, "unblock", a)
        for follower, followee in ((bob, a), (alice, b), (alice, c)):
            assert (await answer(follower, FOLLOW % "follow", id=followee))[1:] == ([], [])
    await system.drain()

    names = {int(user.removeprefix("User:")): name for user, name in ((a, "alice"), (b, "bob"), (c, "carol"))}
    await check_rows(system, names, [("alice", "carol")])
    assert await system.rows("SELECT stands FROM blocks ORDER BY stands") == [(False,), (True,)]


@standalone
async def test_a_direct_follow_after_an_unread_unfollow_of_a_private_user_is_a_request(system: System) -> None:
    alice, bob, carol = (system.person(name) for name in ("alice", "bob", "carol"))
    a, b, c = [await person.id() for person in (alice, bob, carol)]
    for followee in (b, c):
        await answer(alice, FOLLOW % "follow", id=followee)
    await system.drain()
    await make_private(bob)
    for followee in (b, c):
        await answer(alice, FOLLOW % "unfollow", id=followee)  # Redis goes down before a worker has read it

    async with directly(system):
        for followee in (b, c):
            assert (await answer(alice, FOLLOW % "follow", id=followee))[1:] == ([], [])
    await system.drain()

    names = {int(user.removeprefix("User:")): name for user, name in ((a, "alice"), (b, "bob"), (c, "carol"))}
    await check_rows(system, names, [("alice", "carol")])
    assert (await relation_of(alice, b), await relation_of(alice, c)) == ("REQUESTED", "FOLLOWING")


@standalone
@pytest.mark.parametrize(
    ("unread", "direct", "relation"),
    [
        ("unfollow", "unfollow, follow, acceptFollow, follow", "FOLLOWING"),
        ("unfollow", "follow, rejectFollow", "NONE"),
        ("unfollow, follow", "follow", "REQUESTED"),
        ("unfollow, follow", "follow, acceptFollow", "FOLLOWING"),
        ("unfollow, follow", "unfollow, follow, acceptFollow", "FOLLOWING"),
    ],
)
async def test_direct_follows_of_a_private_user_after_unread_changes(
    system: System, unread: str, direct: str, relation: str
) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()

    async def act(mutations: str) -> None:
        for mutation in mutations.split(", "):
            person, other = (alice, b) if mutation.endswith("follow") else (bob, a)
            assert (await answer(person, FOLLOW % mutation, id=other))[1:] == ([], [])

    await act("follow")
    await system.drain()
    await make_private(bob)
    await act(unread)  # Redis goes down before a worker has read it

    async with directly(system):
        await act(direct)
    await system.drain()

    assert await relation_of(alice, b) == relation


@standalone
async def test_a_suspension_that_is_stored_at_once_does_not_end_follows_after_an_unread_unblock(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(moderation=LENIENT, limits=LIMITLESS, batches={"entries": 6})) as system:
        alice, bob = system.person("alice", "moderate"), system.person("bob")
        a, b, c = [await person.id() for person in (alice, bob, system.person("carol"))]
        videos = await system.videos(*map(str, range(20)))
        await answer(bob, FOLLOW % "follow", id=a)
        await system.drain()

        for video in videos[:10]:  # so that the worker reads bob's changes before the block
            await alice.like(video)
        await block(alice, b)
        assert (await suspend(alice, c))["userErrors"] == []  # its row is newer than the unread block
        for video in videos[10:]:  # so that a batch ends between the block and the unblock
            await alice.like(video)
        await change(alice, "unblock", b)
        assert (await answer(bob, FOLLOW % "follow", id=a))[0] == {"follow": {"userErrors": []}}
        await system.drain()

        names = {int(user.removeprefix("User:")): name for user, name in ((a, "alice"), (b, "bob"))}
        await check_rows(system, names, [("bob", "alice")])
