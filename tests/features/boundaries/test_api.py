"""block, unblock, mute, unmute and removeFollower through the API: answers, and refusals that write nothing."""

from collections.abc import Callable
from typing import Any

import pytest

from settings import Settings
from tests.support.boundaries import CHANGE, MUTE, block, change, mute, unblock
from tests.support.comments import add, delete
from tests.support.follows import change as change_follow
from tests.support.follows import follow, refusal
from tests.support.journal_entries import journalled
from tests.support.posts import publish
from tests.support.stored_state import unchanged
from tests.support.system import LENIENT, Person, System, running

standalone = pytest.mark.parametrize("redis_mode", ["standalone"])

LISTS = """{ viewer { blocks(first: 2) { edges { cursor node { handle } } pageInfo { hasNextPage endCursor } }
  mutes { edges { until node { handle } } } } }"""
RELATION = "query ($id: ID!) { node(id: $id) { ... on User { handle viewerRelation viewerBlocks viewerMutes } } }"


async def lists(person: Person) -> tuple[list[str], list[tuple[str, str | None]]]:
    viewer = (await person.ask(LISTS))["viewer"]
    return (
        [edge["node"]["handle"] for edge in viewer["blocks"]["edges"]],
        [(edge["node"]["handle"], edge["until"]) for edge in viewer["mutes"]["edges"]],
    )


async def sees(person: Person, user_id: str) -> Any:
    return (await person.ask(RELATION, id=user_id))["node"]


@pytest.mark.parametrize("drained", [False, True], ids=["at once", "persisted"])
async def test_a_block_hides_both_users_from_each_other_until_it_ends(system: System, drained: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()

    payload = await change(alice, "block", b)
    if drained:
        await system.drain()

    assert payload["user"] == {
        "id": b,
        "handle": "bob",
        "viewerBlocks": True,
        "viewerMutes": False,
        "viewerRelation": "NONE",
    }
    assert (await sees(alice, b), await sees(bob, a)) == (None, None)
    assert (await sees(system.person("carol"), b))["handle"] == "bob"
    assert (await sees(system.person(None), b))["handle"] == "bob"
    assert await lists(alice) == (["bob"], [])
    assert await lists(bob) == ([], [])

    await unblock(alice, b)
    if drained:
        await system.drain()

    assert (await sees(alice, b))["viewerBlocks"] is False
    assert (await sees(bob, a))["handle"] == "alice"
    assert await lists(alice) == ([], [])


@pytest.mark.parametrize("drained", [False, True], ids=["at once", "persisted"])
async def test_a_block_ends_the_follows_in_both_directions(system: System, drained: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await follow(alice, b)
    await follow(bob, a)
    if drained:
        await system.drain()

    await block(alice, b)
    if drained:
        await system.drain()
    assert refusal(await change_follow(bob, "follow", a)) == ("TARGET_NOT_FOUND", ["userId"])
    assert refusal(await change_follow(alice, "follow", b)) == ("TARGET_NOT_FOUND", ["userId"])
    await unblock(alice, b)

    assert (await sees(alice, b))["viewerRelation"] == "NONE"
    assert (await sees(bob, a))["viewerRelation"] == "NONE"
    await system.drain()
    assert (await system.rows("SELECT lo_follows, hi_follows FROM follows")) == [(False, False)]
    counts = "query ($id: ID!) { node(id: $id) { ... on User { followerCount followingCount friendCount } } }"
    for person in (a, b):
        seen = (await system.person(None).ask(counts, id=person))["node"]
        assert seen == {"followerCount": 0, "followingCount": 0, "friendCount": 0}


@standalone
async def test_after_an_unblock_a_new_follow_stands(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await block(alice, b)
    await unblock(alice, b)
    await follow(bob, a)
    await system.drain()
    await system.drain()

    assert (await sees(bob, a))["viewerRelation"] == "FOLLOWING"
    assert (await system.rows("SELECT stands FROM blocks")) == [(False,)]
    assert (await system.rows("SELECT stands FROM blocked_by")) == [(False,)]


@standalone
async def test_repeated_changes_write_one_entry(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await sees(bob, a)  # caches the users that bob follows
    for _ in range(2):
        await block(alice, b)
        assert await journalled(system) == 1
    for _ in range(2):
        await unblock(alice, b)
        assert await journalled(system) == 2
    for _ in range(2):
        assert (await mute(alice, b))["user"]["viewerMutes"] is True
        assert await journalled(system) == 3
    for _ in range(2):
        assert (await change(alice, "unmute", b))["user"]["viewerMutes"] is False
        assert await journalled(system) == 4


async def test_a_mute_has_an_end_that_a_new_mute_changes(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    b = await bob.id()
    await mute(alice, b, until="2099-01-01T00:00:00Z")
    assert await lists(alice) == ([], [("bob", "2099-01-01T00:00:00.000Z")])
    await mute(alice, b)
    await system.drain()
    assert await lists(alice) == ([], [("bob", None)])
    assert (await sees(alice, b))["viewerMutes"] is True
    assert (await sees(bob, await alice.id()))["viewerRelation"] == "NONE"
    await change(alice, "unmute", b)
    assert await lists(alice) == ([], [])


@standalone
@pytest.mark.parametrize("drained", [False, True], ids=["at once", "persisted"])
async def test_a_removed_follower_can_follow_again(system: System, drained: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a, b = await alice.id(), await bob.id()
    await follow(bob, a)
    if drained:
        await system.drain()

    removed = await change(alice, "removeFollower", b, key="k")
    assert (removed["user"]["viewerRelation"], removed["userErrors"]) == ("NONE", [])
    assert (await sees(bob, a))["viewerRelation"] == "NONE"
    await follow(bob, a)
    await change(alice, "removeFollower", b, key="k")
    await system.drain()

    assert (await sees(bob, a))["viewerRelation"] == "FOLLOWING"


@standalone
async def test_the_list_of_blocks_has_pages(system: System) -> None:
    alice = system.person("alice")
    for handle in ("bob", "carol", "dave"):
        await block(alice, await system.person(handle).id())
    page = (await alice.ask(LISTS))["viewer"]["blocks"]
    assert [edge["node"]["handle"] for edge in page["edges"]] == ["dave", "carol"]
    rest = "query ($after: String) { viewer { blocks(after: $after) { nodes { handle } pageInfo { hasNextPage } } } }"
    after = page["pageInfo"]["endCursor"]
    assert (await alice.ask(rest, after=after))["viewer"]["blocks"] == {
        "nodes": [{"handle": "bob"}],
        "pageInfo": {"hasNextPage": False},
    }


@standalone
async def test_boundaries_beyond_the_limit_are_refused(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(moderation=LENIENT, people={"boundary_limit": 1})) as system:
        alice = system.person("alice")
        b, c = await system.person("bob").id(), await system.person("carol").id()
        await block(alice, b)
        await mute(alice, b, until="2099-01-01T00:00:00Z")

        async with unchanged(system):
            assert refusal(await change(alice, "block", c)) == ("BLOCK_LIMIT_REACHED", ["userId"])
            assert refusal(await mute(alice, c)) == ("MUTE_LIMIT_REACHED", ["userId"])
        assert (await mute(alice, b))["userErrors"] == []
        await unblock(alice, b)
        await block(alice, c)


@standalone
async def test_wrong_input_is_refused_and_changes_nothing(system: System) -> None:
    alice = system.person("alice")
    mine, b = await alice.id(), await system.person("bob").id()
    (video,) = await system.videos("v1")

    async with unchanged(system):
        codes = {"block": "CANNOT_BLOCK_SELF", "unblock": "CANNOT_BLOCK_SELF", "unmute": "CANNOT_MUTE_SELF"}
        for verb, code in (codes | {"removeFollower": "INVALID"}).items():
            assert refusal(await change(alice, verb, mine)) == (code, ["userId"])
            assert refusal(await change(alice, verb, video)) == ("TARGET_NOT_FOUND", ["userId"])
            missing = await change(alice, verb, "User:7")  # is answered like a hidden user
            assert (missing["user"], missing["userErrors"]) == (None, [])
            assert await alice.errors(CHANGE % verb, id="bob", key="k") == [("BAD_INPUT", [verb])]
            assert await system.person(None, device_id="d").errors(CHANGE % verb, id=b) == [("UNAUTHENTICATED", [verb])]
        assert refusal(await mute(alice, mine)) == ("CANNOT_MUTE_SELF", ["userId"])
        assert await alice.errors(MUTE, id=b, until="2001-01-01T00:00:00Z") == [("BAD_INPUT", ["mute"])]
        for until in ("now", "", "2099-01-01T00:00:00", "9999-12-31T23:59:59-12:00"):
            assert await alice.errors(MUTE, id=b, until=until) == [("BAD_INPUT", None)]


@standalone
async def test_a_key_with_another_end_is_refused(system: System) -> None:
    alice, b = system.person("alice"), await system.person("bob").id()
    assert (await mute(alice, b, key="k"))["userErrors"] == []
    again = await mute(alice, b, until="2099-01-01T00:00:00Z", key="k")
    assert refusal(again) == ("IDEMPOTENCY_MISMATCH", ["idempotencyKey"])


@standalone
async def test_a_user_who_blocks_the_viewer_stays_hidden_in_payloads_and_in_the_list_of_mutes(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    a = await alice.id()
    await mute(bob, a)
    await block(alice, await bob.id())

    for payload in [await change(bob, verb, a) for verb in ("block", "unblock", "removeFollower")] + [
        await mute(bob, a)
    ]:
        assert (payload["user"], payload["userErrors"]) == (None, [])
    assert (await lists(bob))[1] == []


@standalone
async def test_a_block_refuses_reactions_to_an_entity_and_allows_to_remove_them(system: System) -> None:
    (video,) = await system.videos("v1", owner="alice")
    alice, bob = system.person("alice"), system.person("bob")
    b = await bob.id()
    await bob.like(video)
    await block(alice, b)
    comment = """mutation ($id: ID!) { addComment(input: {subjectId: $id, text: "hello", idempotencyKey: "k"}) {
      userErrors { code } } }"""

    assert [error["code"] for error in (await bob.react("dislike", video))["userErrors"]] == ["BLOCKED"]
    assert (await bob.ask(comment, id=video))["addComment"]["userErrors"] == [{"code": "BLOCKED"}]
    assert (await bob.unlike(video))["target"]["viewerReaction"] is None
    assert [error["code"] for error in (await bob.like(video))["userErrors"]] == ["BLOCKED"]


@standalone
async def test_the_owner_of_a_post_can_delete_a_comment_that_a_block_hides(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await alice.id()
    post = (await publish(alice, "a post"))["post"]["id"]
    await system.drain()
    comment = (await add(bob, post, "rude"))["comment"]["id"]
    await system.drain()
    await block(alice, await bob.id())

    assert (await delete(alice, comment))["userErrors"] == []
    await system.drain()

    query = "query ($id: ID!) { node(id: $id) { ... on Post { commentCount comments { nodes { id } } } } }"
    assert (await system.person(None).ask(query, id=post))["node"] == {"commentCount": 0, "comments": {"nodes": []}}


@standalone
async def test_pages_of_notifications_are_filled_up_beyond_many_hidden_ones(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await alice.id()
    videos = await system.videos(*(f"v{number}" for number in range(40)), owner="alice")
    await system.person("carol").like(videos[0])
    await system.drain()
    for video in videos[1:]:
        await bob.like(video)
    await system.drain()
    await mute(alice, await bob.id())

    page = await alice.ask("{ viewer { notifications(first: 1) { nodes { actors { handle } } } } }")

    assert page["viewer"]["notifications"]["nodes"] == [{"actors": [{"handle": "carol"}]}]
