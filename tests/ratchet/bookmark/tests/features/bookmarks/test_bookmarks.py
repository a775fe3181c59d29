"""bookmark and unbookmark: answers, state, counter, list, outages, event and repair."""

from collections.abc import Callable
from typing import Any

import pytest

from models.bookmarks import BOOKMARK
from runner.postgres import Postgres
from settings import Settings
from store.own_sets.kinds import bookmarks as kind
from tests.support.costs import cost
from tests.support.fallback_mode import directly
from tests.support.fixtures import system
from tests.support.outages import Away, both_ways
from tests.support.outgoing import received, short, to_stream
from tests.support.reconciliation import drift, execute
from tests.support.system import LENIENT, Person, System, running

__all__ = ["system"]

BOOKMARKS = """mutation ($id: ID!, $key: String) { %s(input: {targetId: $id, idempotencyKey: $key}) {
  target { id bookmarkCount viewerBookmarked } userErrors { code } } }"""
SEEN = "query ($id: ID!) { node(id: $id) { ... on Reactable { bookmarkCount viewerBookmarked } } }"
LIST = """query ($first: Int!, $after: String) { viewer { bookmarks(business: "video", first: $first, after: $after) {
  nodes { id } pageInfo { hasNextPage endCursor } } } }"""
PAGES = "query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Reactable { %s } } }"
STORED = "SELECT stands, value FROM bookmarks JOIN counters USING (business_id, entity_id) WHERE kind = 99 ORDER BY 1"


async def change(person: Person, target_id: str, verb: str = "bookmark", key: str | None = None) -> Any:
    """Returns the payload of bookmark or unbookmark."""
    return (await person.ask(BOOKMARKS % verb, id=target_id, key=key))[verb]


async def seen(person: Person, target_id: str) -> tuple[int | None, bool | None]:
    """Returns how many users have bookmarked a target, and whether the person has."""
    node = (await person.ask(SEEN, id=target_id))["node"]
    return node["bookmarkCount"], node["viewerBookmarked"]


async def listed(person: Person, first: int = 100) -> list[str]:
    """Returns the ids of all videos that a person has bookmarked, newest first, in pages of `first`."""
    found: list[str] = []
    page: Any = {"pageInfo": {"hasNextPage": True, "endCursor": None}}
    while page["pageInfo"]["hasNextPage"]:
        after = page["pageInfo"]["endCursor"]
        page = (await person.ask(LIST, first=first, after=after))["viewer"]["bookmarks"]
        found += [node["id"] for node in page["nodes"]]
    return found


async def test_a_bookmark_is_seen_at_once_and_counted_once(system: System) -> None:
    alice, bob, (video,) = system.person("alice"), system.person("bob"), await system.videos("v1")
    for _ in range(2):
        payload = await change(alice, video, key="a")
        assert payload == {"target": {"id": video, "bookmarkCount": 1, "viewerBookmarked": True}, "userErrors": []}
    await system.drain()
    assert (await seen(alice, video), await seen(bob, video)) == ((1, True), (1, False))
    await change(bob, video)
    assert (await change(alice, video, "unbookmark"))["target"]["viewerBookmarked"] is False
    assert await seen(bob, video) == (2, True)
    await system.drain()
    assert await system.rows(STORED) == [(False, 1), (True, 1)]
    assert await seen(alice, video) == (1, False)


async def test_refusals_change_nothing(system: System) -> None:
    alice, (video,) = system.person("alice"), await system.videos("v1")
    assert (await change(alice, "Post:7"))["userErrors"] == [{"code": "TARGET_NOT_FOUND"}]
    await change(alice, video, key="a")
    (other,) = await system.videos("v2")
    assert (await change(alice, other, key="a"))["userErrors"] == [{"code": "IDEMPOTENCY_MISMATCH"}]
    assert await system.person(None).errors(BOOKMARKS % "bookmark", id=video) == [("UNAUTHENTICATED", ["bookmark"])]
    assert await listed(alice) == [video]


async def test_lists_reach_below_the_cached_bookmarks(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "CACHED", 10)
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0)) as system:
        alice, videos = system.person("alice"), await system.videos(*(f"v{n}" for n in range(25)))
        for id_ in videos[:20]:
            await change(alice, id_)
        await system.drain()
        for id_ in videos[20:]:
            await change(alice, id_)
        assert await listed(alice) == await listed(alice, first=4) == videos[::-1]
        assert await seen(alice, videos[0]) == (1, True)


async def test_a_page_with_bookmarks_costs_one_round_trip_like_a_page_with_likes(system: System) -> None:
    alice, videos = system.person("alice"), await system.videos(*(f"v{n}" for n in range(20)))
    for id_ in videos[::2]:
        await change(alice, id_)
    likes, bookmarks = PAGES % "likeCount viewerReaction", PAGES % "bookmarkCount viewerBookmarked"
    for query in (likes, bookmarks):
        await cost(alice, query, ids=videos)
    assert await cost(alice, bookmarks, ids=videos) == await cost(alice, likes, ids=videos)


async def test_bookmarks_are_written_directly_while_redis_is_replaced(system: System) -> None:
    alice, (one, two) = system.person("alice"), await system.videos("v1", "v2")
    await change(alice, one)
    await system.drain()
    async with directly(system):
        for _ in range(2):
            await change(alice, one, "unbookmark", key="a")
            await change(alice, two, key="b")
            assert (await seen(alice, one), await seen(alice, two), await listed(alice)) == (
                (0, False),
                (1, True),
                [two],
            )
    await system.drain()
    assert [await seen(alice, id_) for id_ in (one, two)] == [(0, False), (1, True)]
    assert await listed(alice) == [two]


@both_ways
async def test_bookmarks_hold_while_postgres_is_down(system: System, postgres: Postgres, away: Away) -> None:
    alice, (one, two) = system.person("alice"), await system.videos("v1", "v2")
    await change(alice, one)
    await change(alice, two)
    assert await listed(alice) == [two, one]
    await change(alice, two, "unbookmark")
    assert [await seen(alice, id_) for id_ in (one, two)] == [(1, True), (0, False)]
    async with away(postgres, system.state.postgres):
        await change(alice, one, "unbookmark")
        await change(alice, two)
        assert [await seen(alice, id_) for id_ in (one, two)] == [(0, False), (1, True)]
        assert await listed(alice) == [two]
    await system.drain()
    assert await system.rows(STORED) == [(False, 0), (True, 1)]


async def test_destinations_are_told(system: System) -> None:
    await to_stream(system, "bookmark.changed")
    alice, (video,) = system.person("alice"), await system.videos("v1")
    await change(alice, video)
    (event,) = await received(system)
    assert short(event, "userId", "targetId", "isBookmarked") == ("bookmark.changed", await alice.id(), video, True)


async def test_reconcile_mends_counters_and_cached_bookmarks(system: System) -> None:
    alice, (video,) = system.person("alice"), await system.videos("v1")
    await change(alice, video)
    await system.drain()
    assert await drift(system) == {}
    ((user,),) = await system.rows("SELECT user_id FROM users WHERE handle = 'alice'")
    await system.state.redis("DEL", system.state.own_sets.key(BOOKMARK, user, 100), write=True)
    assert await listed(alice) == [video]
    await execute(system, "UPDATE counters SET value = 5, version = version + 1 WHERE kind = 99")
    await system.state.redis("ZADD", system.state.own_sets.key(BOOKMARK, user, 100), 5000, "7", write=True)

    assert await drift(system, "counters", "sets", repair=True) == {"bookmarks": 1, "cached_bookmark": 1}
    assert await drift(system, "counters", "sets") == {}
    assert (await seen(alice, video), await listed(alice)) == ((1, True), [video])
