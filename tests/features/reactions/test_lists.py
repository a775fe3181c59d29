"""Lists of reactions by kind: the users who have given a kind, and the objects with most of them. What they cost."""

import pytest

from tests.support.costs import cost
from tests.support.reactions import counts, react, reactors, shown, unreact
from tests.support.system import System

PAGE = """query ($keys: [String!]!, $business: String!) { entities(business: $business, keys: $keys) {
  id likeCount viewerReaction } }"""
KINDS = PAGE.replace("likeCount", "likeCount reactionCounts { kind count } viewerReactions")
BOARD = """query ($kind: String, $window: LeaderboardWindow!) {
  leaderboard(business: "video", window: $window, kind: $kind) { rank score node { id } } }"""
BY_KIND = (
    "query ($id: ID!, $kind: String!) { node(id: $id) { ... on Entity { reactors(kind: $kind) { nodes { id } } } } }"
)
LIKERS = "query ($id: ID!) { node(id: $id) { ... on Entity { likers { nodes { handle } } } } }"
LIKES = '{ viewer { user { likes(business: "video") { nodes { id } } } } }'
KEYS = [f"k{i}" for i in range(20)]


async def test_a_users_own_reaction_is_listed_at_once_and_others_see_it_when_it_is_stored(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = system.person("alice"), system.person("bob")
    await react(bob, video, "😂")
    await system.drain()
    assert await reactors(alice, video, "😂") == ["bob"]

    await react(alice, video, "😂")
    assert (await reactors(alice, video, "😂"), await reactors(bob, video, "😂")) == (["alice", "bob"], ["bob"])
    await system.drain()
    assert await reactors(bob, video, "😂") == ["alice", "bob"]
    await react(alice, video, "love")
    assert await reactors(alice, video, "😂") == ["bob"]
    await system.drain()
    assert await reactors(bob, video, "😂") == ["bob"]
    assert await reactors(bob, video, "love") == ["alice"]


async def test_likers_are_all_users_whose_reaction_counts_as_a_like(system: System) -> None:
    (video,) = await system.videos("v1")
    people = {kind: system.person(f"{name}_1") for name, kind in (("a", "like"), ("b", "love"), ("c", "sad"))}
    for kind, person in people.items():
        await react(person, video, kind)
    await system.drain()

    data = await people["sad"].ask(LIKERS, id=video)
    assert [one["handle"] for one in data["node"]["likers"]["nodes"]] == ["b_1", "a_1"]
    listed = [await reactors(people["like"], video, kind) for kind in ("like", "love", "sad")]
    assert listed == [["a_1"], ["b_1"], ["c_1"]]
    liked = [(await person.ask(LIKES))["viewer"]["user"]["likes"]["nodes"] for person in people.values()]
    assert liked == [[{"id": video}], [{"id": video}], []]


async def test_pages_of_a_kind_go_on_in_rows(system: System) -> None:
    (video,) = await system.videos("v1", business="article")
    handles = [f"user_{i}" for i in range(7)]
    for handle in handles:
        await react(system.person(handle), video, "last")
        await react(system.person(handle), video, "like")
    await system.drain()
    alice = system.person("alice")

    for kind in ("last", "like"):
        assert await reactors(alice, video, kind, first=3) == handles[::-1]
        await system.empty_redis()
        assert await reactors(alice, video, kind, first=2) == handles[::-1]


@pytest.mark.parametrize("kind", ["dislike", "gone", "wow", ""])
async def test_there_is_no_list_of_dislikes_and_of_unknown_kinds(system: System, kind: str) -> None:
    (video,) = await system.videos("v1")

    errors = await system.person("alice").errors(BY_KIND, id=video, kind=kind)

    assert [code for code, _ in errors] == ["BAD_INPUT"]


async def test_a_leaderboard_of_one_kind_counts_only_this_kind(system: System) -> None:
    one, two, three = await system.videos("v1", "v2", "v3")
    for handle, target in (("alice", one), ("bob", two), ("carol", two)):
        await react(system.person(handle), target, "sad")
    await react(system.person("dave"), three, "love")
    await system.drain()
    alice = system.person("alice")

    for window in ("DAY", "WEEK", "ALL"):
        board = (await alice.ask(BOARD, kind="sad", window=window))["leaderboard"]
        assert [(place["score"], place["node"]["id"]) for place in board] == [(2, two), (1, one)]
    likes = (await alice.ask(BOARD, window="DAY"))["leaderboard"]
    assert [place["node"]["id"] for place in likes] == [three]


@pytest.mark.parametrize("kind", ["like", "dislike", "gone"])
async def test_other_leaderboards_of_kinds_fail(system: System, kind: str) -> None:
    errors = await system.person("alice").errors(BOARD, kind=kind, window="ALL")

    assert errors == [("BAD_INPUT", ["leaderboard"])]


async def test_a_warm_page_with_all_kinds_costs_two_round_trips_and_no_query(system: System) -> None:
    videos = await system.videos(*KEYS)
    alice = system.person("alice")
    for video, kind in zip(videos, ["like", "love", "😂", "dislike"] * 5, strict=True):
        await react(alice, video, kind)
    await system.drain()
    await alice.ask(KINDS, keys=KEYS, business="video")

    for query in (PAGE, KINDS):
        assert await cost(alice, query, keys=KEYS, business="video") == (2, 0)
    await react(alice, videos[0], "sad")
    assert await cost(alice, KINDS, keys=KEYS, business="video") == (2, 0)


@pytest.mark.parametrize("redis_mode", ["standalone"])
async def test_a_page_of_a_business_without_kinds_reads_no_kinds(system: System) -> None:
    plains = await system.videos(*KEYS, business="plain")
    alice = system.person("alice")
    for plain in plains[::2]:
        await alice.like(plain)
    await system.drain()
    await alice.ask(PAGE, keys=KEYS, business="plain")

    await system.state.redis("CONFIG", "RESETSTAT")
    assert await cost(alice, PAGE, keys=KEYS, business="plain") == (2, 0)
    stats = await system.state.redis.client.info("commandstats")
    assert (stats["cmdstat_zmscore"]["calls"], stats.get("cmdstat_hmget")) == (1, None)


async def test_old_kinds_are_read_from_rows_if_they_are_not_cached(system: System) -> None:
    video, other = await system.videos("v1", "v2")
    alice = system.person("alice")
    await react(alice, video, "sad")
    await react(alice, other, "love")
    await system.drain()
    await system.empty_redis()

    assert (await shown(alice, video))["viewerReactions"] == ["sad"]
    assert (await shown(alice, other))["viewerReactions"] == ["love"]  # from the set that the first query has loaded
    await unreact(alice, other)
    assert counts(await shown(alice, other)) == {}
