"""Pages of the hottest comments: their cursors, and the snapshots behind them."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from settings import Settings
from store.content import comment_snapshots
from tests.support.clocks import ForwardClock
from tests.support.comments import COMMENTS, added, counts, decide, delete, liked, many, page, read, talk
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running


async def test_a_cursor_always_returns_the_same_page(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, ids = await talk(system, alice, *map(str, range(9)))
    one = await page(bob, video, "HOT", 3)
    two = await page(bob, video, "HOT", 3, one["pageInfo"]["endCursor"])
    await liked(system, ids[0], 5)
    await liked(system, ids[1], 9)
    await added(alice, video, "another")
    await system.drain()

    assert await page(bob, video, "HOT", 3, one["pageInfo"]["endCursor"]) == two
    three = await page(bob, video, "HOT", 3, two["pageInfo"]["endCursor"])
    assert await page(bob, video, "HOT", 3, two["pageInfo"]["endCursor"]) == three
    texts = [node["text"] for each in (one, two, three) for node in each["nodes"]]
    assert texts == [str(i) for i in range(8, -1, -1)]
    assert [node["text"] for node in (await page(bob, video, "HOT", 3))["nodes"]] == ["1", "0", "another"]


@standalone
async def test_a_list_continues_after_the_cursor_of_every_edge(system: System) -> None:
    alice = system.person("alice")
    video, _ = await talk(system, alice, *map(str, range(6)))
    one = await page(alice, video, "HOT", 3)
    first, _, last = (edge["cursor"] for edge in one["edges"])

    assert last == one["pageInfo"]["endCursor"]
    after_first = await page(alice, video, "HOT", 2, first)
    assert [node["text"] for node in after_first["nodes"]] == ["4", "3"]
    after_second = await page(alice, video, "HOT", 9, after_first["edges"][0]["cursor"])
    assert [node["text"] for node in after_second["nodes"]] == ["3", "2", "1", "0"]


@standalone
async def test_concurrent_readers_of_one_cursor_get_the_same_page(system: System) -> None:
    video, ids = await talk(system, system.person("alice"), *map(str, range(9)))
    anonymous = system.person(None)
    after = (await page(anonymous, video, "HOT", 3))["pageInfo"]["endCursor"]

    async def reader(i: int) -> list[str]:
        if i % 3 == 0:
            await liked(system, ids[i // 3], 3)
            await system.drain()
        return [node["text"] for node in (await page(anonymous, video, "HOT", 3, after))["nodes"]]

    pages = [await reader(0), *await asyncio.gather(*[reader(i) for i in (1, 2, 4, 5, 7, 8)]), await reader(3)]

    assert [found for found in pages if found != pages[0]] == []


async def test_comments_that_are_hidden_between_two_pages_leave_no_gap(system: System) -> None:
    alice, bob, judge = system.person("alice"), system.person("bob"), system.person("judge", "moderate")
    video, ids = await talk(system, alice, *map(str, range(10)))
    one = await page(bob, video, "HOT", 2)
    two = await page(bob, video, "HOT", 2, one["pageInfo"]["endCursor"])
    await delete(alice, ids[4])
    await decide(judge, ids[3], "REJECT")
    await system.drain()

    three = await page(bob, video, "HOT", 2, two["pageInfo"]["endCursor"])

    assert [node["text"] for each in (one, two, three) for node in each["nodes"]] == ["9", "8", "7", "6", "5", "2"]
    assert three["pageInfo"]["hasNextPage"]


@standalone
async def test_a_cursor_expires_with_its_snapshot_and_is_refused_for_other_readers(
    make_settings: Callable[..., Settings],
) -> None:
    clock = ForwardClock()
    async with running(make_settings(moderation=LENIENT), clock) as system:
        alice, bob = system.person("alice"), system.person("bob")
        video, _ = await talk(system, alice, *map(str, range(6)))
        (other,) = await system.videos("v2")
        one = await page(bob, video, "HOT", 2)
        two = await page(bob, video, "HOT", 2, one["pageInfo"]["endCursor"])
        bad = [("BAD_CURSOR", ["node", "comments"])]
        for cursor in (one["pageInfo"]["endCursor"], two["pageInfo"]["endCursor"]):
            assert await bob.errors(COMMENTS, id=video, sort="HOT", after=cursor) == []
            assert await bob.errors(COMMENTS, id=video, sort="NEWEST", after=cursor) == bad
            assert await bob.errors(COMMENTS, id=other, sort="HOT", after=cursor) == bad
            assert await alice.errors(COMMENTS, id=video, sort="HOT", after=cursor) == bad
        clock.ahead_ms += comment_snapshots.BEGIN_MS - 10_000
        assert await bob.errors(COMMENTS, id=video, sort="HOT", after=one["pageInfo"]["endCursor"]) == []
        clock.ahead_ms += 20_000
        assert await bob.errors(COMMENTS, id=video, sort="HOT", after=one["pageInfo"]["endCursor"]) == bad
        assert await bob.errors(COMMENTS, id=video, sort="HOT", after=two["pageInfo"]["endCursor"]) == []
        await system.empty_redis()

        assert await bob.errors(COMMENTS, id=video, sort="HOT", after=two["pageInfo"]["endCursor"]) == bad


@standalone
async def test_a_cursor_of_a_lost_snapshot_is_refused_after_another_snapshot_replaces_it(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, ids = await talk(system, alice, *map(str, range(6)))
    first = (await page(bob, video, "HOT", 1))["pageInfo"]["endCursor"]
    lost = (await page(bob, video, "HOT", 2, first))["pageInfo"]["endCursor"]
    await system.empty_redis()
    await liked(system, ids[0], 3)
    await system.drain()

    again = (await page(bob, video, "HOT", 2, first))["pageInfo"]["endCursor"]

    assert await bob.errors(COMMENTS, id=video, sort="HOT", after=lost) == [("BAD_CURSOR", ["node", "comments"])]
    assert await bob.errors(COMMENTS, id=video, sort="HOT", after=again) == []


@standalone
async def test_the_newest_snapshots_of_a_reader_are_kept(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comment_snapshots, "KEPT", 2)
    alice, bob = system.person("alice"), system.person("bob")
    video, _ = await talk(system, alice, *map(str, range(6)))
    later: dict[str, list[str]] = {"alice": [], "bob": []}
    for reader in (alice, bob):
        for edge in (await page(reader, video, "HOT", 3))["edges"]:
            later[reader.handle].append((await page(reader, video, "HOT", 1, edge["cursor"]))["pageInfo"]["endCursor"])

    assert len(await snapshots(system)) == 4
    assert len(await system.state.redis.client.keys("{snapshot:*")) == 8, "each snapshot has an index"
    for reader in (alice, bob):
        oldest, *others = later[reader.handle]
        assert await reader.errors(COMMENTS, id=video, sort="HOT", after=oldest) == [
            ("BAD_CURSOR", ["node", "comments"])
        ]
        for cursor in others:
            assert await reader.errors(COMMENTS, id=video, sort="HOT", after=cursor) == []


@standalone
async def test_the_cursor_of_the_longest_page_is_valid(system: System) -> None:
    alice = system.person("alice")
    video, _ = await talk(system, alice, "newest")
    await many(system, 250)
    one = await page(alice, video, "HOT", 100)

    two = await page(alice, video, "HOT", 100, one["pageInfo"]["endCursor"])

    assert not {node["id"] for node in one["nodes"]} & {node["id"] for node in two["nodes"]}
    assert len(two["nodes"]) == 100


@standalone
async def test_reading_a_snapshot_extends_its_lifetime(system: System) -> None:
    video, _ = await talk(system, system.person("alice"), *map(str, range(6)))
    bob = system.person("bob")
    after = (await page(bob, video, "HOT", 2))["pageInfo"]["endCursor"]
    assert await snapshots(system) == []
    after = (await page(bob, video, "HOT", 2, after))["pageInfo"]["endCursor"]
    (key,) = await snapshots(system)
    await system.state.redis("PEXPIRE", key, 1000, write=True)

    await page(bob, video, "HOT", 2, after)

    assert await system.state.redis("PTTL", key) > 1_000_000
    assert await system.state.redis("STRLEN", key) == 8 + 8 * 6


@standalone
@pytest.mark.parametrize("reader", ["bob", None], ids=["signed in", "anonymous"])
async def test_a_new_reading_finds_a_comment_that_was_approved_after_page_two_was_pinned(
    system: System, reader: str | None
) -> None:
    alice, viewer = system.person("alice"), system.person(reader)
    video, ids = await talk(system, alice, *map(str, range(6)))
    for id_ in ids[3:]:
        await liked(system, id_, 3)
    await system.drain()
    before = await read(viewer, video, "HOT", 2)
    first_page = await page(viewer, video, "HOT", 3)
    second_page = await page(viewer, video, "HOT", 3, first_page["pageInfo"]["endCursor"])

    await added(alice, video, "late")
    await system.drain()
    await liked(system, ids[0], 1)
    await system.drain()

    assert await read(viewer, video, "HOT", 3) == ["5", "4", "3", "0", "late", "2", "1"]
    assert await counts(viewer, video) == (7, 7)
    assert await page(viewer, video, "HOT", 3, first_page["pageInfo"]["endCursor"]) == second_page
    assert before == ["5", "4", "3", "2", "1", "0"]


@standalone
async def test_readers_share_a_snapshot_while_nothing_changes(system: System) -> None:
    video, ids = await talk(system, system.person("alice"), *map(str, range(6)))
    anonymous = system.person(None)
    first = [(await page(anonymous, video, "HOT", 2))["pageInfo"]["endCursor"] for _ in range(3)]
    for _ in range(3):
        await read(anonymous, video, "HOT", 2)
    assert len(await snapshots(system)) == 1
    redis = system.state.redis
    (index,) = await redis.client.keys("{snapshot:*}")
    assert await redis("ZCARD", index) == 1
    assert 0 < await redis("PTTL", index) <= comment_snapshots.LIFE_MS
    await redis("ZADD", index, 1, "1:1:1", write=True)  # the entry of a lost snapshot

    await liked(system, ids[0], 1)
    await system.drain()
    await liked(system, ids[5], 9)
    await liked(system, ids[4], 9)
    await system.drain()
    for _ in range(3):
        await read(anonymous, video, "HOT", 2)
    for cursor in first:
        await page(anonymous, video, "HOT", 2, cursor)

    assert len(set(first)) == 3
    assert len(await snapshots(system)) == 2
    assert await redis("ZCARD", index) == 2


async def snapshots(system: System) -> list[Any]:
    """Returns the keys of all snapshots."""
    return list(await system.state.redis.client.keys("{snapshot:*}:*"))
