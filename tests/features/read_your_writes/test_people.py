"""Pages of users show the reader's pending changes, at the same cost."""

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


async def read(reader: Person, query: str, target: str, first: int) -> list[str]:
    """Returns the handles on all pages. Only the last page may be short."""
    found: list[str] = []
    after: str | None = None
    while True:
        one = (await reader.ask(query, id=target, first=first, after=after))["node"]["people"]
        found += [node["handle"] for node in one["nodes"]]
        if not one["pageInfo"]["hasNextPage"]:
            return found
        assert len(one["nodes"]) == first
        after = one["pageInfo"]["endCursor"]


async def alice_with_friends(system: System) -> tuple[Person, str, list[str]]:
    """Returns Alice, who has five friends, her id and the friends' ids."""
    alice = system.person("alice")
    mine, ids = await alice.id(), await registered(system, *OTHERS)
    for handle, id_ in zip(OTHERS, ids, strict=True):
        await follow(system.person(handle), mine)
        await follow(alice, id_)
    await system.drain()
    return alice, mine, ids


async def next_worker(system: System) -> Worker:
    """Returns a worker that has taken over from the worker of `drain`."""
    assert system._drainer is not None
    await system._drainer.ownership.leave()
    return await ready(system)


@standalone
@pytest.mark.parametrize("first", [1, 2, 5])
async def test_pages_of_likers_have_the_readers_own_like_at_its_place(system: System, first: int) -> None:
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
async def test_pages_of_friends_leave_out_users_just_unfollowed(system: System, first: int) -> None:
    alice, mine, ids = await alice_with_friends(system)
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
async def test_a_friend_who_follows_again_after_a_pending_follow_is_listed_once(system: System, first: int) -> None:
    alice, mine, ids = await alice_with_friends(system)
    worker = await next_worker(system)
    await unfollow(alice, ids[2], ids[0])
    await follow(alice, ids[2], ids[0])
    await unfollow(system.person("p2"), mine)
    await follow(system.person("p2"), mine)
    while await worker.step():  # publishes without a sweep
        pass

    assert await read(alice, FRIENDS, mine, first) == ["p2", "p0", "p4", "p3", "p1"]


@standalone
async def test_a_followed_user_who_does_not_follow_back_is_no_friend(system: System) -> None:
    alice = system.person("alice")
    mine, (other,) = await alice.id(), await registered(system, "other")
    await follow(alice, other)

    assert await read(alice, FRIENDS, mine, 5) == []
    assert await read(alice, FRIENDS, other, 5) == []
    assert await read(alice, FOLLOWERS, other, 5) == ["alice"]


@standalone
async def test_a_pending_like_or_follow_costs_lists_no_round_trip(system: System) -> None:
    """Lists of friends cost one more round trip, which reads whether the followed user follows back."""
    alice, mine, ids = await alice_with_friends(system)
    (video,) = await system.videos("v1")
    await system.person("p0").like(video)
    await system.drain()
    settled = {}
    for query, target in ((LIKERS, video), (FOLLOWERS, ids[1]), (FRIENDS, mine), (FRIENDS, ids[1])):
        await alice.ask(query, id=target, first=5)
        settled[query, target] = await cost(alice, query, id=target, first=5)
    await alice.like(video)
    await unfollow(alice, ids[1])
    await follow(alice, ids[1])

    pending = {(query, target): await cost(alice, query, id=target, first=5) for query, target in settled}

    assert set(settled.values()) == {(3, 0)}
    assert pending == {(query, target): (4 if query == FRIENDS else 3, 0) for query, target in settled}
