"""Lists of people show what their reader has just done, page by page, and cost no more for it."""

import pytest

from tests.support.costs import cost
from tests.support.follows import follow, registered, unfollow
from tests.support.stores import standalone
from tests.support.system import Person, System
from tests.support.workers import ready
from workers.worker import Worker

PAGE = """query ($id: ID!, $first: Int!, $after: String) { node(id: $id) { ... on %s {
  people: %s(first: $first, after: $after) { nodes { handle } pageInfo { hasNextPage endCursor } } } } }"""
LIKERS, FOLLOWERS = PAGE % ("Entity", "likers"), PAGE % ("User", "followers")
FRIENDS = PAGE % ("User", "friends")
OTHERS = [f"p{n}" for n in range(5)]


async def read(reader: Person, query: str, of: str, first: int) -> list[str]:
    """Returns the people on all pages. No page but the last one is short."""
    found: list[str] = []
    after: str | None = None
    while True:
        one = (await reader.ask(query, id=of, first=first, after=after))["node"]["people"]
        found += [node["handle"] for node in one["nodes"]]
        if not one["pageInfo"]["hasNextPage"]:
            return found
        assert len(one["nodes"]) == first
        after = one["pageInfo"]["endCursor"]


async def befriended(system: System) -> tuple[Person, str, list[str]]:
    """Alice, whom five people follow whom she follows, and their ids."""
    alice = system.person("alice")
    mine, ids = await alice.id(), await registered(system, *OTHERS)
    for handle, id_ in zip(OTHERS, ids, strict=True):
        await follow(system.person(handle), mine)
        await follow(alice, id_)
    await system.drain()
    return alice, mine, ids


async def ready_after(system: System) -> Worker:
    """A worker that takes over from the one that has drained."""
    assert system._drainer is not None
    await system._drainer.ownership.leave()
    return await ready(system)


@standalone
@pytest.mark.parametrize("first", [1, 2, 5])
async def test_likers_are_paged_with_ones_own_like_in_its_place(system: System, first: int) -> None:
    (video,) = await system.videos("v1")
    alice, late = system.person("alice"), system.person("late")
    for handle in OTHERS:
        await system.person(handle).like(video)
    await system.drain()
    before = await read(alice, LIKERS, video, first)

    await alice.like(video)
    liked = await read(alice, LIKERS, video, first)
    await late.like(video)
    await system.drain()
    published = await read(alice, LIKERS, video, first)
    await alice.unlike(video)

    assert before == OTHERS[::-1]
    assert liked == ["alice", *OTHERS[::-1]]
    assert published == ["late", "alice", *OTHERS[::-1]]
    assert await read(alice, LIKERS, video, first) == ["late", *OTHERS[::-1]]
    assert await read(late, LIKERS, video, first) == published
    await alice.react("dislike", video)
    assert await read(alice, LIKERS, video, first) == ["late", *OTHERS[::-1]]


@standalone
@pytest.mark.parametrize("first", [1, 2, 5])
async def test_friends_are_paged_without_those_just_left(system: System, first: int) -> None:
    alice, mine, ids = await befriended(system)
    assert await read(alice, FRIENDS, mine, first) == OTHERS[::-1]

    await unfollow(alice, ids[4], ids[3], ids[1])

    assert await read(alice, FRIENDS, mine, first) == ["p2", "p0"]
    assert await read(alice, FRIENDS, ids[1], first) == []
    assert await read(alice, FOLLOWERS, ids[1], first) == []
    await follow(alice, ids[1])
    assert await read(alice, FRIENDS, mine, first) == ["p1", "p2", "p0"]
    assert await read(alice, FRIENDS, ids[1], first) == ["alice"]
    assert await read(alice, FOLLOWERS, ids[1], first) == ["alice"]


@standalone
@pytest.mark.parametrize("first", [1, 3])
async def test_a_friend_who_came_back_after_ones_own_pending_follow_is_listed_once(system: System, first: int) -> None:
    alice, mine, ids = await befriended(system)
    worker = await ready_after(system)
    await unfollow(alice, ids[2], ids[0])
    await follow(alice, ids[2], ids[0])
    await unfollow(system.person("p2"), mine)
    await follow(system.person("p2"), mine)
    while await worker.step():  # publishes all, and sweeps nothing
        pass

    assert await read(alice, FRIENDS, mine, first) == ["p2", "p0", "p4", "p3", "p1"]


@standalone
async def test_somebody_who_does_not_follow_back_is_no_friend(system: System) -> None:
    alice = system.person("alice")
    mine, (other,) = await alice.id(), await registered(system, "other")
    await follow(alice, other)

    assert await read(alice, FRIENDS, mine, 5) == []
    assert await read(alice, FRIENDS, other, 5) == []
    assert await read(alice, FOLLOWERS, other, 5) == ["alice"]


@standalone
async def test_ones_own_pending_like_or_follow_costs_lists_no_trip(system: System) -> None:
    """In lists of friends it does: who follows back decides."""
    alice, mine, ids = await befriended(system)
    (video,) = await system.videos("v1")
    await system.person("p0").like(video)
    await system.drain()
    settled = {}
    for query, of in ((LIKERS, video), (FOLLOWERS, ids[1]), (FRIENDS, mine), (FRIENDS, ids[1])):
        await alice.ask(query, id=of, first=5)
        settled[query, of] = await cost(alice, query, id=of, first=5)
    await alice.like(video)
    await unfollow(alice, ids[1])
    await follow(alice, ids[1])

    pending = {(query, of): await cost(alice, query, id=of, first=5) for query, of in settled}

    assert set(settled.values()) == {(3, 0)}
    assert pending == {(query, of): (4 if query == FRIENDS else 3, 0) for query, of in settled}
