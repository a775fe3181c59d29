"""Viewer.suggestedUsers: the reasons, their order, and when lists are computed again."""

from contextlib import suppress
from typing import Any

import pytest

from models.suggestions import Suggestion
from projections.entries import follows as follow_entries
from state import State
from store import keys
from store.people import suggestions
from store.postgres.client import PostgresDown
from tests.support.boundaries import mute
from tests.support.content_follows import follow_topics, unfollow_topics
from tests.support.follows import follow, registered, unfollow
from tests.support.posts import publish, published
from tests.support.private_accounts import make_private
from tests.support.stores import standalone
from tests.support.suggestions import SUGGESTED, compute, dismiss, handles, suggested
from tests.support.system import Person, System
from workers import suggestions as worker
from workers.suggestions import refresh_suggestions

FOLLOWED, LIKES, TOPIC, NEW = "FOLLOWED_BY_FOLLOWED", "SIMILAR_LIKES", "POPULAR_IN_TOPIC", "NEW_MEMBER"


async def reasons(person: Person) -> dict[str, str]:
    """Returns the reason of each suggestion, by handle."""
    return {one["user"]: one["reason"] for one in await suggested(person, 50)}


def number_of(id_: str) -> int:
    return int(id_.partition(":")[2])


async def test_users_whom_followed_users_follow_are_suggested(system: System) -> None:
    alice, bob, carol, dave, erin = map(system.person, ("alice", "bob", "carol", "dave", "erin"))
    b, c, d, e = [await person.id() for person in (bob, carol, dave, erin)]
    await follow(alice, b, c)
    await follow(bob, d, e)
    await follow(carol, d)
    assert await suggested(alice) == []
    await compute(system, alice)

    found = await suggested(alice)
    scores = [one.pop("score") for one in found]
    reason = {"reason": FOLLOWED, "topic": None}
    assert found == [
        {"user": "dave", "followedBy": ["carol", "bob"], "followedByCount": 2, **reason},
        {"user": "erin", "followedBy": ["bob"], "followedByCount": 1, **reason},
    ]
    assert scores == sorted(scores, reverse=True)
    assert (await system.person(None).ask(SUGGESTED))["viewer"] is None


@standalone
async def test_a_reason_names_the_three_users_whom_the_viewer_has_followed_last(system: System) -> None:
    alice, names = system.person("alice"), [f"friend{number}" for number in range(5)]
    ids, dave = [await system.person(name).id() for name in names], await system.person("dave").id()
    for name, id_ in zip(names, ids, strict=True):
        await follow(alice, id_)
        await follow(system.person(name), dave)
    await compute(system, alice)
    (found,) = await suggested(alice)
    assert (found["followedBy"], found["followedByCount"]) == (["friend4", "friend3", "friend2"], 5)
    await unfollow(alice, *ids[2:])
    (found,) = await suggested(alice)
    assert (found["followedBy"], found["followedByCount"]) == ([], 2)
    await compute(system, alice)
    (found,) = await suggested(alice)
    assert (found["followedBy"], found["followedByCount"]) == (["friend1", "friend0"], 2)


@standalone
async def test_an_account_that_many_follow_needs_more_followed_users(system: System) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    star, dave = [await system.person(name).id() for name in ("star", "dave")]
    await follow(alice, await bob.id(), await carol.id())
    for number in range(12):
        await follow(system.person(f"fan{number}"), star)
    await follow(bob, star)
    await follow(carol, dave)
    await compute(system, alice)
    assert await handles(alice) == ["dave", "star"]


@standalone
async def test_users_with_the_same_likes_are_suggested_unless_they_are_private(system: System) -> None:
    alice, bob, carol, dave = map(system.person, ("alice", "bob", "carol", "dave"))
    posts = await published(carol, "one", "two", "three")
    await system.drain()
    for post in posts[:2]:
        await alice.like(post)
        await bob.like(post)
    await alice.like(posts[2])
    await dave.like(posts[2])
    await compute(system, alice)
    assert await reasons(alice) == {"bob": LIKES, "carol": NEW}
    await make_private(bob)
    assert await reasons(alice) == {"carol": NEW}
    await compute(system, alice)
    assert await reasons(alice) == {"carol": NEW}


@standalone
async def test_authors_of_followed_topics_are_suggested_with_the_topic(system: System) -> None:
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    for number in range(3):
        await publish(bob, f"cat {number}", "cats")
    await publish(carol, "a dog", "dogs")
    await system.drain()
    await follow_topics(alice, "cats")
    await compute(system, alice)
    found = {one["user"]: one for one in await suggested(alice)}
    assert {name: one["reason"] for name, one in found.items()} == {"bob": TOPIC, "carol": NEW}
    assert found["bob"]["topic"] == {"name": "cats"}
    assert found["carol"]["topic"] is None
    await unfollow_topics(alice, "cats")
    assert await reasons(alice) == {"carol": NEW}
    await follow_topics(alice, "cats")
    assert await reasons(alice) == {"bob": TOPIC, "carol": NEW}
    await make_private(bob)
    assert await reasons(alice) == {"carol": NEW}


@standalone
async def test_new_members_without_posts_are_not_suggested(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await registered(system, "quiet")
    await publish(bob, "hello")
    await compute(system, alice)
    assert await reasons(alice) == {"bob": NEW}


async def test_a_follow_makes_the_list_due(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow_entries, "_SUGGEST_AFTER_MS", 0)
    alice, bob, carol = map(system.person, ("alice", "bob", "carol"))
    b, c = await bob.id(), await carol.id()
    await follow(bob, c)
    await compute(system, alice)
    assert await suggested(alice) == []
    await follow(alice, b)
    await system.drain()
    assert await refresh_suggestions(system.state) == 1  # bob has never asked
    assert await handles(alice) == ["carol"]
    assert await refresh_suggestions(system.state) == 0


@standalone
async def test_a_list_that_is_too_old_is_computed_again(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await compute(system, alice)
    await publish(bob, "hello")
    await system.drain()
    assert await suggested(alice) == []
    assert await refresh_suggestions(system.state) == 0
    now_ms, hours = system.state.now_ms, system.settings.people.suggestion_hours
    object.__setattr__(system.state, "now_ms", lambda: int(now_ms() + hours * 3_600_000))
    assert await suggested(alice) == []
    assert await refresh_suggestions(system.state) == 1
    assert await handles(alice) == ["bob"]


@standalone
async def test_other_users_take_the_place_of_those_who_left(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    ids = dict(zip(names := [f"u{number}" for number in range(70)], await registered(system, *names), strict=True))
    await follow(alice, await bob.id())
    await follow(bob, *ids.values())
    await compute(system, alice)
    found = await handles(alice)
    assert len(found) == 50
    for at, name in enumerate(found[:40]):
        await (dismiss(alice, ids[name]) if at % 2 else mute(alice, ids[name]))
    assert await handles(alice) == [*found[40:], *(await handles(alice))[10:]]
    assert len(await handles(alice)) == suggestions.MOST - 40
    assert [one["user"] for one in await suggested(alice, 3)] == found[40:43]
    raw = await system.state.cache.redis("GET", keys.suggested(number_of(await alice.id())))
    assert len(raw) < 6000


@standalone
@pytest.mark.parametrize("first", [0, 51])
async def test_the_number_of_users_is_bounded(system: System, first: int) -> None:
    assert await system.person("alice").errors(SUGGESTED, first=first) == [("BAD_INPUT", ["viewer", "suggestedUsers"])]


@standalone
async def test_an_unknown_format_counts_as_no_list(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    await publish(bob, "hello")
    await compute(system, alice)
    await system.state.cache.redis("SET", keys.suggested(number_of(await alice.id())), b"[9,1,[]]", write=True)
    assert await suggested(alice) == []
    assert await refresh_suggestions(system.state) == 1
    assert await handles(alice) == ["bob"]


async def due_of(system: System) -> list[Any]:
    found: list[Any] = await system.state.cache.redis("ZRANGE", keys.suggestions_due(), 0, -1, "WITHSCORES")
    return found


@standalone
async def test_one_worker_takes_a_user_who_is_due_and_a_failure_puts_users_back(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, cache = system.person("alice"), system.state.cache
    await suggested(alice)
    user, now_ms = number_of(await alice.id()), system.state.now_ms()
    assert await suggestions.take_due(cache, now_ms, 10) == [user]
    assert await suggestions.take_due(cache, now_ms, 10) == []
    suggestions.mark(cache, [user], now_ms)
    suggestions.mark(cache, [user], now_ms + 10_000)
    assert (await due_of(system))[1] in (now_ms, b"%d" % now_ms)

    monkeypatch.setattr(suggestions, "MOST", None)
    with pytest.raises(TypeError):
        await refresh_suggestions(system.state)
    monkeypatch.undo()
    (member, score) = await due_of(system)
    assert (int(member), float(score) > now_ms + 4000) == (user, True)


@standalone
async def test_a_list_that_cannot_be_computed_keeps_no_other_list_waiting(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [system.person(f"user{number}") for number in range(4)]
    for person in people:
        await suggested(person)
    users, computed = [number_of(await person.id()) for person in people], worker.computed

    async def failing(state: State, user_id: int) -> list[Suggestion]:
        if user_id == users[0]:
            raise PostgresDown
        return await computed(state, user_id)

    monkeypatch.setattr(worker, "computed", failing)
    for _ in range(2):
        with suppress(PostgresDown):
            await refresh_suggestions(system.state)
    lists = [await suggestions.read(system.state.cache, user) for user in users]
    assert [bool(one and one.made_ms) for one in lists] == [False, True, True, True]


@standalone
async def test_the_number_of_users_who_are_due_is_bounded(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestions, "_MOST_DUE", 3)
    suggestions.mark(system.state.cache, range(1, 9), system.state.now_ms())
    assert len(await due_of(system)) == 6
