"""pinPost and unpinPost: who pins, which posts, and who sees the pinned posts when."""

import pytest

from tests.support.boundaries import block, mute
from tests.support.costs import cost
from tests.support.follows import follow
from tests.support.pinned_posts import PIN_POST, PINNED_POSTS, pin_all, pin_post, pinned_by, pinned_scene
from tests.support.posts import decide, delete, edit, published
from tests.support.private_accounts import make_private
from tests.support.stored_state import unchanged
from tests.support.stores import standalone
from tests.support.suspensions import moderator, suspend
from tests.support.system import System

PAGE = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { handle followerCount %s } } }"
FIRST = 'query ($first: Int!) { user(handle: "alice") { pinnedPosts(first: $first) { id } } }'


async def test_the_author_sees_a_pin_at_once_and_others_after_the_commit(system: System) -> None:
    alice, bob, (one, two, three, _) = await pinned_scene(system)

    payload = await pin_post(alice, one)
    assert payload == {"user": {"handle": "alice", "pinnedPosts": [{"id": one}]}, "userErrors": []}
    await pin_all(alice, two, three)
    assert await pinned_by(alice, "alice") == [three, two, one]
    assert await pinned_by(bob, "alice") == []
    await system.drain()
    for viewer in (alice, bob, system.person(None)):
        assert await pinned_by(viewer, "alice") == [three, two, one]

    assert (await pin_post(alice, two, "unpinPost"))["user"]["pinnedPosts"] == [{"id": three}, {"id": one}]
    assert await pinned_by(bob, "alice") == [three, two, one]
    await system.drain()
    assert await pinned_by(bob, "alice") == [three, one]
    await pin_all(alice, two)
    await system.drain()
    await system.empty_redis()
    assert await pinned_by(bob, "alice") == [two, three, one]
    assert await pinned_by(bob, "bob") == []


async def test_a_pinned_post_can_be_pinned_again_and_a_fourth_one_is_refused(system: System) -> None:
    alice, bob, (one, two, three, four) = await pinned_scene(system, 3)

    before = await system.rows("SELECT * FROM pinned_posts WHERE pinned")
    assert (await pin_post(alice, one))["userErrors"] == []
    assert (await pin_post(alice, four, "unpinPost"))["userErrors"] == []
    await system.drain()
    assert await system.rows("SELECT * FROM pinned_posts WHERE pinned") == before
    async with unchanged(system):
        refused = await pin_post(alice, four)
    assert refused == {"user": None, "userErrors": [{"code": "PIN_LIMIT_REACHED", "field": ["postId"]}]}
    assert await pinned_by(bob, "alice") == [three, two, one]
    await pin_post(alice, two, "unpinPost")
    await pin_all(alice, four)
    assert await pinned_by(alice, "alice") == [four, three, one]


@standalone
async def test_a_repeated_pin_does_not_undo_a_newer_change(system: System) -> None:
    alice, bob, (one, two, three, four) = await pinned_scene(system)
    await pin_post(alice, one, key="k")
    await pin_post(alice, one, "unpinPost")

    assert (await pin_post(alice, one, key="k"))["user"]["pinnedPosts"] == []
    assert (await pin_post(alice, two, key="k"))["userErrors"][0]["code"] == "IDEMPOTENCY_MISMATCH"
    await pin_all(alice, two, three, four)
    assert (await pin_post(alice, one, key="k"))["userErrors"] == []
    await system.drain()
    assert await pinned_by(bob, "alice") == [four, three, two]


@standalone
async def test_only_the_author_pins_and_only_approved_posts(system: System) -> None:
    alice, bob, (one, gone, *_) = await pinned_scene(system)
    (spam,) = await published(alice, "go to casino-bonus")
    await system.drain()
    (waiting,) = await published(alice, "not seen yet")
    await delete(alice, gone)
    mia = system.person("mia", "moderate")

    for verb in ("pinPost", "unpinPost"):
        for person in (bob, mia):
            assert (await pin_post(person, one, verb))["userErrors"] == [{"code": "NOT_ALLOWED", "field": ["postId"]}]
        for person, missing in ((alice, "Post:2"), (alice, await alice.id()), (bob, waiting)):
            payload = await pin_post(person, missing, verb)
            assert payload["userErrors"] == [{"code": "TARGET_NOT_FOUND", "field": ["postId"]}]
        assert await system.person(None).errors(PIN_POST % verb, id=one) == [("UNAUTHENTICATED", [verb])]
    assert await alice.errors(PIN_POST % "pinPost", id=waiting) == [("UNAVAILABLE", ["pinPost"])]
    assert (await pin_post(alice, spam))["userErrors"] == [{"code": "INVALID", "field": ["postId"]}]
    assert (await pin_post(alice, gone))["userErrors"] == [{"code": "TARGET_DELETED", "field": ["postId"]}]
    await system.drain()
    assert await system.rows("SELECT * FROM pinned_posts") == []


@standalone
@pytest.mark.parametrize("how", ["deleted", "rejected", "edited into spam"])
async def test_a_post_that_is_not_public_any_more_is_not_shown_and_makes_room_for_others(
    system: System, how: str
) -> None:
    alice, bob, (one, two, three, four) = await pinned_scene(system, 3)
    mia = system.person("mia", "moderate")

    if how == "deleted":
        await delete(alice, two)
        assert await pinned_by(alice, "alice") == [three, one]
    elif how == "rejected":
        await decide(mia, two, "REJECT")
    else:
        await edit(alice, two, text="go to casino-bonus")
    await system.drain()

    for viewer in (alice, bob, mia, system.person(None)):
        assert await pinned_by(viewer, "alice") == [three, one]
    if how == "rejected":
        await decide(mia, two, "APPROVE")
        await system.drain()
        assert await pinned_by(bob, "alice") == [three, two, one]
        assert (await pin_post(alice, four))["userErrors"][0]["code"] == "PIN_LIMIT_REACHED"
        await decide(mia, two, "REJECT")
        await system.drain()
    await pin_all(alice, four)
    assert await pinned_by(alice, "alice") == [four, three, one]
    await system.drain()
    assert await pinned_by(bob, "alice") == [four, three, one]
    assert await system.rows("SELECT count(*) FROM pinned_posts WHERE pinned") == [(3,)]


@standalone
async def test_a_deleted_post_can_be_unpinned(system: System) -> None:
    alice, _, (one, *_) = await pinned_scene(system)
    await pin_all(alice, one)
    await delete(alice, one)
    await system.drain()

    assert (await pin_post(alice, one, "unpinPost"))["userErrors"] == []
    await system.drain()
    assert await system.rows("SELECT pinned FROM pinned_posts") == [(False,)]


@standalone
async def test_followers_alone_see_the_pinned_posts_of_a_private_account(system: System) -> None:
    alice, bob, (one, *_) = await pinned_scene(system, 1)
    carol = system.person("carol")
    await follow(bob, await alice.id())
    await system.drain()
    assert await pinned_by(carol, "alice") == [one]

    await make_private(alice)

    assert [await pinned_by(viewer, "alice") for viewer in (alice, bob)] == [[one], [one]]
    for viewer in (carol, system.person(None)):
        assert await pinned_by(viewer, "alice") == []


@standalone
@pytest.mark.parametrize("how", ["block", "blocked", "mute", "suspended"])
async def test_blocks_and_suspensions_hide_pinned_posts_with_their_author(system: System, how: str) -> None:
    alice, bob, (one, *_) = await pinned_scene(system, 1)
    alices = await alice.id()

    if how == "suspended":
        await suspend(moderator(system), alices, "HIDDEN")
    elif how == "mute":
        await mute(bob, alices)
    else:
        await (block(bob, alices) if how == "block" else block(alice, await bob.id()))

    if how == "mute":  # a profile shows the posts of a muted user
        assert await pinned_by(bob, "alice") == [one]
    else:
        assert (await bob.ask(PINNED_POSTS, handle="alice"))["user"] is None


@standalone
async def test_first_limits_the_pinned_posts(system: System) -> None:
    alice, bob, (one, two, *_) = await pinned_scene(system)
    await pin_all(alice, one, two)

    assert (await alice.ask(FIRST, first=1))["user"]["pinnedPosts"] == [{"id": two}]
    assert await bob.errors(FIRST, first=0) == [("BAD_INPUT", ["user", "pinnedPosts"])]


@standalone
async def test_a_page_of_users_with_pinned_posts_costs_no_more_round_trips(system: System) -> None:
    """The pins are read with the counters of the users, and with them the posts that the process remembers."""
    bob, authors = system.person("bob"), [system.person(f"author{n}") for n in range(20)]
    ids = [await author.id() for author in authors]
    posts = [await published(author, "one", "two") for author in authors]
    await system.drain()
    for author, some in zip(authors, posts, strict=True):
        await pin_all(author, *some)
    await system.drain()
    query = PAGE % "pinnedPosts { id text }"
    assert all(len(node["pinnedPosts"]) == 2 for node in (await bob.ask(query, ids=ids))["nodes"])

    without = await cost(bob, PAGE % "", ids=ids)
    assert without == (2, 0)
    assert await cost(bob, query, ids=ids) == (2, 0)


@standalone
async def test_a_pin_reads_the_post_and_the_pins_in_one_round_trip(system: System) -> None:
    alice, _, (one, two, *_) = await pinned_scene(system, 1)
    assert await pinned_by(alice, "alice") == [one]
    query = "mutation ($id: ID!) { pinPost(input: {postId: $id}) { user { handle } userErrors { code } } }"
    await alice.ask(query, id=one)

    assert await cost(alice, query, id=two) == (3, 0)
