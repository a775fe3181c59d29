"""Recommendations: hot posts, posts of the viewer's topics and posts that followed users like, with reasons. Own posts
and seen posts are left out. The order is pinned.
"""

from typing import Any

import pytest

from store import keys
from tests.features.ranking.ranked_lists import BOARD, HOT, TOPIC, react_as_many
from tests.support.boundaries import mute
from tests.support.costs import cost, counted_plans
from tests.support.follows import follow_people
from tests.support.hiding import hide
from tests.support.posts import decide, delete, publish, published
from tests.support.stores import standalone
from tests.support.system import Person, System

PAGE = """query ($first: Int!, $after: String) { viewer { recommended(first: $first, after: $after) {
  edges { cursor reason node { id text likeCount viewerReaction author { handle } } }
  pageInfo { hasNextPage hasPreviousPage endCursor } } } }"""
VIEW = "mutation ($ids: [ID!]!) { recordViews(input: {targetIds: $ids}) { userErrors { code } } }"
POPULAR, FRIENDS = "Popular right now", "Liked by people you follow"


async def page(viewer: Person, first: int = 20, after: str | None = None) -> Any:
    return (await viewer.ask(PAGE, first=first, after=after))["viewer"]["recommended"]


async def recommended(viewer: Person, first: int = 20) -> list[tuple[str, str]]:
    """Returns text and reason of the posts on all pages."""
    edges, after = [], None
    while True:
        one = await page(viewer, first, after)
        edges += one["edges"]
        if not one["pageInfo"]["hasNextPage"]:
            return [(edge["node"]["text"], edge["reason"]) for edge in edges]
        assert len(one["edges"]) == first
        after = one["pageInfo"]["endCursor"]


async def by_many(system: System, count: int) -> list[str]:
    """Publishes a post each as this many authors. Drains the system. Returns the ids."""
    ids = [id_ for i in range(count) for id_ in await published(system.person(f"w{i}"), f"post {i}")]
    await system.drain()
    return ids


async def test_a_new_user_gets_popular_posts(system: System) -> None:
    _, second, _ = await by_many(system, 3)
    await react_as_many(system, second)
    await published(system.person("alice"), "my own")
    await system.drain()

    texts = [("post 1", POPULAR), ("post 2", POPULAR), ("post 0", POPULAR)]
    assert await recommended(system.person("alice")) == texts
    assert await recommended(system.person("alice"), first=1) == texts


async def test_posts_of_topics_that_the_viewer_likes_or_uses_come_first(system: System) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    liked = (await publish(bob, "liked", "cats"))["post"]["id"]
    await publish(alice, "mine", "dogs")
    await publish(bob, "another cat", "cats", "pets")
    await publish(carol, "a dog", "dogs")
    await publish(carol, "nothing", "stones")
    await system.drain()
    await alice.like(liked)
    await system.drain()

    assert await recommended(alice) == [
        ("a dog", "Because you like #dogs"),
        ("another cat", "Because you like #cats"),
        ("nothing", POPULAR),
    ]


async def test_posts_that_followed_users_like_come_first(system: System) -> None:
    alice, bob, carol, dave = map(system.person, ("alice", "bob", "carol", "dave"))
    ids = await by_many(system, 4)
    await follow_people(alice, bob, carol)
    await dave.like(ids[3])
    await bob.like(ids[0])
    await bob.like(ids[1])
    await carol.like(ids[1])
    await system.drain()

    assert await recommended(alice) == [
        ("post 1", FRIENDS),
        ("post 0", FRIENDS),
        ("post 3", POPULAR),
        ("post 2", POPULAR),
    ]
    await follow_people(alice, bob, verb="unfollow")
    await carol.unlike(ids[1])
    assert {reason for _, reason in await recommended(alice)} == {POPULAR}


async def test_seen_posts_are_not_recommended(system: System) -> None:
    alice = system.person("alice")
    ids = await by_many(system, 5)
    await alice.like(ids[0])
    await alice.react("dislike", ids[1])
    await alice.ask(VIEW, ids=[ids[2]])

    assert [text for text, _ in await recommended(alice)] == ["post 4", "post 3"]
    await system.drain()
    assert [text for text, _ in await recommended(alice)] == ["post 4", "post 3"]


async def test_one_author_has_at_most_two_posts_among_twenty(system: System) -> None:
    alice, flood = system.person("alice"), system.person("flood")
    await by_many(system, 20)
    for post in await published(flood, *(f"flood {i}" for i in range(10))):
        await system.drain()
        await react_as_many(system, post, count=1)
    await system.drain()

    texts = [text for text, _ in await recommended(alice, first=5)]

    assert len(texts) == len(set(texts)) > 20
    assert sum(text.startswith("flood") for text in texts[:2]) == 2
    for at in range(len(texts)):
        assert sum(text.startswith("flood") for text in texts[at : at + 20]) <= 2


async def test_a_cursor_returns_the_same_posts_after_scores_change(system: System) -> None:
    alice = system.person("alice")
    ids = await by_many(system, 12)
    first = await page(alice, 4)
    cursor = first["pageInfo"]["endCursor"]
    second = await page(alice, 4, cursor)

    await react_as_many(system, ids[0], ids[1])
    await by_many(system, 13)
    await system.drain()

    again = await page(alice, 4, cursor)
    assert [edge["cursor"] for edge in again["edges"]] == [edge["cursor"] for edge in second["edges"]]
    assert [edge["node"]["id"] for edge in again["edges"]] == [edge["node"]["id"] for edge in second["edges"]]
    third = await page(alice, 4, second["pageInfo"]["endCursor"])
    served = [edge["node"]["id"] for one in (first, second, third) for edge in one["edges"]]
    assert sorted(served) == sorted(ids)
    assert not third["pageInfo"]["hasNextPage"]
    assert (await page(alice, 2))["edges"][0]["node"]["id"] == ids[1]


async def test_later_pages_leave_out_deleted_posts_and_are_full(system: System) -> None:
    alice, mia = system.person("alice"), system.person("mia", "moderate")
    ids = await by_many(system, 9)
    first = await page(alice, 2)
    await delete(system.person("w6"), ids[6])
    await decide(mia, ids[5], "REJECT")
    await system.drain()

    second = await page(alice, 3, first["pageInfo"]["endCursor"])

    assert [edge["node"]["id"] for edge in second["edges"]] == [ids[4], ids[3], ids[2]]


async def test_an_expired_cursor_and_the_cursor_of_another_user_are_refused(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await by_many(system, 4)
    cursor = (await page(alice, 2))["pageInfo"]["endCursor"]
    bad = [("BAD_CURSOR", ["viewer", "recommended"])]
    assert await bob.errors(PAGE, first=2, after=cursor) == bad

    await system.empty_redis()

    assert await alice.errors(PAGE, first=2, after=cursor) == bad
    assert len((await page(alice, 2))["edges"]) == 2


async def test_the_newest_four_rankings_of_a_user_are_kept(system: System) -> None:
    alice = system.person("alice")
    await by_many(system, 4)
    user = int((await alice.id()).removeprefix("User:"))
    cursors = [(await page(alice, 2))["pageInfo"]["endCursor"] for _ in range(12)]

    key, redis = keys.recommended(user), system.state.cache.redis
    assert await redis("LLEN", key) == 4
    assert 0 < await redis("PTTL", key) <= 600_000
    for cursor in cursors[-4:]:
        assert len((await page(alice, 2, cursor))["edges"]) == 2
    for cursor in cursors[:-4]:
        assert await alice.errors(PAGE, first=2, after=cursor) == [("BAD_CURSOR", ["viewer", "recommended"])]


async def test_recommendations_are_the_same_after_redis_is_emptied(system: System) -> None:
    alice = system.person("alice")
    ids = await by_many(system, 6)
    await react_as_many(system, ids[2])
    await alice.like(ids[0])
    await system.drain()
    before = await recommended(alice)

    await system.empty_redis()

    assert await recommended(alice) == before


async def active_reader(system: System) -> Person:
    """Returns a person who likes posts and follows people who like posts."""
    alice = system.person("alice")
    friends = [system.person(f"f{i}") for i in range(5)]
    await follow_people(alice, *friends)
    ids = [
        (await publish(system.person(f"w{i}"), f"post {i}", f"topic{i % 3}", "all"))["post"]["id"] for i in range(30)
    ]
    await publish(alice, "mine", "topic0")
    await system.drain()
    for i, friend in enumerate(friends):
        await friend.like(ids[i])
    await alice.like(ids[29])
    await system.drain()
    return alice


async def test_a_warm_first_page_costs_four_round_trips_a_later_page_three_and_no_query(system: System) -> None:
    alice = await active_reader(system)
    cursor = (await page(alice, 10))["pageInfo"]["endCursor"]
    await page(alice, 10, cursor)

    assert await cost(alice, PAGE, first=10) == (4, 0)
    assert await cost(alice, PAGE, first=10, after=cursor) == (3, 0)


@standalone
async def test_all_ranked_lists_are_served_by_compiled_plans(system: System) -> None:
    alice = await active_reader(system)
    before = counted_plans()

    await page(alice, 10)
    await alice.ask(HOT, first=5)
    await alice.ask(TOPIC, name="all", first=5)
    await alice.ask(BOARD, business="post", window="DAY", first=5)

    after = counted_plans()
    assert {plan for plan, count in after.items() if count > before.get(plan, 0)} == {("planned", "")}


@standalone
@pytest.mark.parametrize("first", [0, 101])
async def test_page_sizes_are_bounded(system: System, first: int) -> None:
    assert await system.person("alice").errors(PAGE, first=first) == [("BAD_INPUT", ["viewer", "recommended"])]


@standalone
async def test_an_anonymous_viewer_gets_no_recommendations(system: System) -> None:
    assert (await system.person(None).ask(PAGE, first=1))["viewer"] is None


@pytest.mark.parametrize("how", ["alice blocks", "bob blocks", "HIDDEN", "SHADOW", "PRIVATE", "mute"])
async def test_no_reason_names_a_like_of_a_hidden_or_muted_user(system: System, how: str) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    await follow_people(alice, bob)
    (post,) = await published(carol, "carol's post")
    await system.drain()
    await bob.like(post)
    await system.drain()
    assert await recommended(alice) == [("carol's post", FRIENDS)]

    if how == "mute":
        await mute(alice, await bob.id())
    else:
        await hide(system, how)
    await system.drain()

    # A private account stays open to its followers.
    assert await recommended(alice) == [("carol's post", FRIENDS if how == "PRIVATE" else POPULAR)]
