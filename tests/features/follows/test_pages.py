"""Pages of followers, following and friends: newest first, complete, and limited in depth for other viewers."""

import random
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from settings import Settings
from store import keys
from tests.support.follows import follow, registered, unfollow
from tests.support.paging import PAGE_INFO, Between, nothing, walk
from tests.support.stores import standalone
from tests.support.system import Person, System, running

LISTS = ("followers", "following", "friends")
PAGE = """query ($id: ID!, $first: Int!, $after: String) { node(id: $id) { ... on User {
  page: %s(first: $first, after: $after) { edges { cursor createdAt node { handle } } nodes { handle }
    pageInfo { PAGE_INFO } } } } }"""
HANDLES = [f"p{i:02}" for i in range(12)]
NEWEST_FIRST = HANDLES[::-1]

each_list = pytest.mark.parametrize("name", LISTS)


async def page(reader: Person, name: str, owner: str, first: int, after: str | None = None) -> Any:
    query = (PAGE % name).replace("PAGE_INFO", PAGE_INFO)
    return (await reader.ask(query, id=owner, first=first, after=after))["node"]["page"]


async def listed(reader: Person, name: str, owner: str, first: int = 100, between: Between = nothing) -> list[str]:
    """Returns the handles of all pages of `first` that the reader gets."""
    return await walk(reader, PAGE % name, "handle", between, id=owner, first=first)


async def star(system: System) -> tuple[Person, str]:
    """Returns a user with twelve followers, who follows them back in the same order. Drains the system."""
    star = system.person("star")
    mine, ids = await star.id(), await registered(system, *HANDLES)
    for handle in HANDLES:
        await follow(system.person(handle), mine)
    await follow(star, *ids)
    await system.drain()
    return star, mine


async def evict_lists(system: System, owner: str) -> None:
    """Evicts the cached lists of a user."""
    owner_id = int(owner.removeprefix("User:"))
    await system.state.cache.redis.client.delete(keys.followers(owner_id))
    await system.state.cache.redis.client.delete(keys.friends(owner_id))


@pytest.mark.parametrize(("redis_mode", "first"), [("standalone", 1), ("standalone", 100), ("cluster", 5)])
async def test_lists_are_paged_completely_and_newest_first(system: System, first: int) -> None:
    owner, mine = await star(system)

    for name in LISTS:
        cold = await listed(owner, name, mine, first)
        warm = await listed(system.person(None), name, mine, first)
        await system.empty_redis()
        emptied = await listed(owner, name, mine, first)

        assert cold == warm == emptied == NEWEST_FIRST


@standalone
@pytest.mark.parametrize("cached", [True, False], ids=["cached", "cold"])
async def test_edges_have_the_time_of_the_follow(system: System, cached: bool) -> None:
    owner, mine = await star(system)
    for name in LISTS if cached else ():
        await page(owner, name, mine, 100)
    if not cached:
        await system.empty_redis()
    versions = dict(await system.rows("SELECT user_id, max(version >> 20) FROM follow_log GROUP BY user_id"))
    ids = [int(id_.removeprefix("User:")) for id_ in await registered(system, *NEWEST_FIRST)]
    own = await system.rows(
        "SELECT version >> 20 FROM follow_log WHERE user_id = :me ORDER BY 1 DESC", me=int(mine[5:])
    )
    followed_back = [ms for (ms,) in own]

    for name, expected in zip(LISTS, ([versions[id_] for id_ in ids], followed_back, followed_back), strict=True):
        edges = (await page(owner, name, mine, 100))["edges"]
        times = [datetime.fromisoformat(edge["createdAt"]) for edge in edges]
        assert times == [datetime.fromtimestamp(ms / 1000, UTC) for ms in expected]


@standalone
@each_list
async def test_lists_follow_every_follow_and_unfollow(system: System, name: str) -> None:
    owner, mine = await star(system)
    ids = dict(zip(HANDLES, await registered(system, *HANDLES), strict=True))
    await listed(owner, name, mine)

    await unfollow(system.person("p03"), mine)
    await unfollow(owner, ids["p07"])
    await system.drain()
    gone = {"followers": {"p03"}, "following": {"p07"}, "friends": {"p03", "p07"}}[name]
    assert await listed(owner, name, mine) == [handle for handle in NEWEST_FIRST if handle not in gone]

    await follow(system.person("p03"), mine)
    await follow(owner, ids["p07"])
    await system.drain()
    returned = {"followers": ["p03"], "following": ["p07"], "friends": ["p07", "p03"]}[name]
    expected = [*returned, *[handle for handle in NEWEST_FIRST if handle not in gone]]
    assert await listed(owner, name, mine) == expected
    await evict_lists(system, mine)
    assert await listed(owner, name, mine) == expected


@standalone
async def test_own_follows_are_in_the_own_following_list_at_once(system: System) -> None:
    alice = system.person("alice")
    mine, ids = await alice.id(), await registered(system, *HANDLES)

    await follow(alice, *ids)
    assert await listed(alice, "following", mine, 5) == NEWEST_FIRST

    await unfollow(alice, ids[4])
    await follow(alice, ids[4])
    await unfollow(alice, ids[9])
    assert await listed(alice, "following", mine, 5) == ["p04", *[h for h in NEWEST_FIRST if h not in ("p04", "p09")]]


@standalone
async def test_empty_lists_are_empty_and_not_null(system: System) -> None:
    alice = system.person("alice")

    for name in LISTS:
        assert await page(alice, name, await alice.id(), 20) == {
            "edges": [],
            "nodes": [],
            "pageInfo": {"hasNextPage": False, "hasPreviousPage": False, "startCursor": None, "endCursor": None},
        }


@standalone
async def test_a_page_has_between_one_and_a_hundred_users(system: System) -> None:
    alice = system.person("alice")
    mine = await alice.id()

    for name in LISTS:
        query = (PAGE % name).replace("PAGE_INFO", PAGE_INFO)
        for first in (0, -1, 101, 2**31 - 1, -(2**31)):
            assert await alice.errors(query, id=mine, first=first) == [("BAD_INPUT", ["node", "page"])]
        assert await alice.errors(query, id=mine, first=100) == []


@standalone
async def test_a_cursor_is_valid_for_its_own_list_only(system: System) -> None:
    owner, mine = await star(system)
    other = (await registered(system, "p00"))[0]
    for name in LISTS:
        query = (PAGE % name).replace("PAGE_INFO", PAGE_INFO)
        own = (await page(owner, name, mine, 1))["pageInfo"]["endCursor"]
        foreign = [(await page(owner, list_, mine, 1))["pageInfo"]["endCursor"] for list_ in LISTS if list_ != name]
        foreign.append((await page(owner, name, other, 1))["pageInfo"]["endCursor"])

        altered = own[:-1] + ("A" if own[-1] != "A" else "B")

        for cursor in [*foreign, altered, own + "=", "a" * 300, "garbage", "\0", ""]:
            for reader in (owner, system.person(None)):
                errors = await reader.errors(query, id=mine, first=1, after=cursor)
                assert errors == [("BAD_CURSOR", ["node", "page"])], cursor
        assert (await page(owner, name, mine, 1, own))["nodes"] == [{"handle": NEWEST_FIRST[1]}]


@standalone
async def test_other_viewers_page_to_a_limited_depth_and_the_owner_to_the_end(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(people={"others_list_depth": 5})) as system:
        owner, mine = await star(system)

        for name in LISTS:
            for reader in (system.person("p00"), system.person(None)):
                for first in (2, 5, 100):
                    assert await listed(reader, name, mine, first) == NEWEST_FIRST[:5]
            assert await listed(owner, name, mine, 2) == NEWEST_FIRST


@standalone
async def test_a_deep_cursor_of_the_owner_takes_other_viewers_no_deeper(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(people={"others_list_depth": 5})) as system:
        owner, mine = await star(system)
        for name in LISTS:
            cursors = [edge["cursor"] for edge in (await page(owner, name, mine, 100))["edges"]]

            for reader in (system.person("p00"), system.person(None)):
                within, at, below = [await page(reader, name, mine, 100, cursors[i]) for i in (2, 4, 8)]
                assert [node["handle"] for node in within["nodes"]] == NEWEST_FIRST[3:5]
                assert not within["pageInfo"]["hasNextPage"]
                for empty in (at, below):
                    assert empty["edges"] == empty["nodes"] == []
                    assert not empty["pageInfo"]["hasNextPage"]


@standalone
async def test_the_last_page_at_exactly_the_depth_limit_has_no_next_page(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(people={"others_list_depth": 12})) as system:
        owner, mine = await star(system)

        for reader in (owner, system.person(None)):
            for name in LISTS:
                last = await page(reader, name, mine, 12)
                assert (len(last["nodes"]), last["pageInfo"]["hasNextPage"]) == (12, False)


@standalone
@pytest.mark.parametrize(("count", "first"), [(40, 10), (200, 10), (200, 50)])
async def test_followers_of_the_same_millisecond_are_listed_once_each(system: System, count: int, first: int) -> None:
    owner = system.person("owner")
    mine, ids = await owner.id(), []
    for at in range(0, count, 100):
        ids += await registered(system, *[f"q{i:03}" for i in range(at, min(count, at + 100))])
    await system.rows(
        """INSERT INTO followers (user_id, follower_id, moment)
           SELECT :owner, follower, :moment FROM unnest(CAST(:ids AS bigint[])) AS f(follower) RETURNING 1""",
        owner=int(mine.removeprefix("User:")),
        moment=system.state.now_ms() << 10,
        ids=[int(id_.removeprefix("User:")) for id_ in ids],
    )
    expected = [f"q{i:03}" for i in reversed(range(count))]

    cold = await listed(owner, "followers", mine, first)
    warm = await listed(owner, "followers", mine, first)

    assert (cold, warm) == (expected, expected)


@pytest.mark.parametrize(
    ("redis_mode", "seed"), [("standalone", 0), pytest.param("cluster", 1, marks=pytest.mark.prove)]
)
@each_list
async def test_lasting_entries_are_listed_once_while_other_entries_change(system: System, name: str, seed: int) -> None:
    owner, mine = await star(system)
    chance = random.Random(seed)
    changing = chance.sample(HANDLES, 4)
    ids = dict(zip(HANDLES, await registered(system, *HANDLES), strict=True))
    new = await registered(system, *[f"new{i}" for i in range(8)])

    async def change_randomly() -> None:
        handle, newcomer = chance.choice(changing), chance.randrange(8)
        await chance.choice((follow, unfollow))(system.person(handle), mine)
        await chance.choice((follow, unfollow))(owner, ids[chance.choice(changing)])
        await follow(system.person(f"new{newcomer}"), mine)
        await follow(owner, new[newcomer])
        if chance.random() < 0.7:
            await system.drain()
        if chance.random() < 0.3:
            await evict_lists(system, mine)

    handles = await listed(owner, name, mine, 2, change_randomly)

    assert len(handles) == len(set(handles))
    assert [handle for handle in handles if handle not in changing] == [h for h in NEWEST_FIRST if h not in changing]
