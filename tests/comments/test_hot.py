"""Commentable.comments(sort: HOT): what votes and replies do, in rows and in what is cached; paging while they move."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import pytest_asyncio

from ids import wall_clock_ms
from models.counters import EntityRef
from ranking import hot_comment
from settings import Settings
from store import comment_lists, comment_snapshots
from store.lists import FLOOR, Item
from store.postgres import Postgres
from tests.comments.world import COMMENTS, decide, delete, many, page, read, said, talk
from tests.conftest import standalone
from tests.posts.conftest import LENIENT
from tests.system import System, running

HOTTEST = 10
SCORES = "SELECT t.text, c.score FROM comments c JOIN comment_contents t USING (comment_id) WHERE c.root_id = 0"


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Few comments are ranked."""
    async with running(make_settings(moderation=LENIENT, hot_comments=HOTTEST)) as one:
        yield one


async def liked(system: System, comment: str, count: int, verb: str = "like") -> None:
    for i in range(count):
        await system.person(f"liker{i}").react(verb, comment)


async def hot_list(system: System) -> str:
    (subject,) = await system.rows("SELECT DISTINCT subject_business, subject_id FROM comments")
    return f"{{hot_comments:{subject[0]}:{subject[1]}}}"


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_likes_and_replies_heat_and_dislikes_cool(system: System, warm: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (old, answered, new) = await talk(system, alice, "old", "answered", "new")
    if warm:
        assert await read(bob, video, "HOT") == ["new", "answered", "old"]

    await liked(system, old, 4)
    await liked(system, new, 2, "dislike")
    await said(bob, video, "reply", to=answered)
    await system.drain()

    for viewer in (alice, bob, system.person(None)):
        for first in (1, 2, 20):
            assert await read(viewer, video, "HOT", first) == ["old", "answered", "new"]
    await liked(system, old, 4, "unlike")
    await system.drain()
    assert await read(bob, video, "HOT") == ["answered", "old", "new"]
    await system.empty_redis()
    assert await read(bob, video, "HOT") == ["answered", "old", "new"]


async def test_rows_hold_the_score_of_the_formula(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (first, second, third) = await talk(system, alice, "first", "second", "third")
    await liked(system, first, 3)
    reply = await said(bob, video, "reply", to=second)
    await system.drain()
    await liked(system, reply, 3)
    await said(bob, video, "another", to=second)
    await delete(bob, reply)
    await liked(system, third, 2, "dislike")
    await system.drain()

    moments = dict(await system.rows("SELECT text, moment FROM comment_contents"))
    assert dict(await system.rows(SCORES)) == {
        "first": hot_comment(moments["first"], 3, 0, 0),
        "second": hot_comment(moments["second"], 0, 0, 1),
        "third": hot_comment(moments["third"], 0, 2, 0),
    }


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_what_is_taken_away_leaves_the_list_and_comes_back_with_its_votes(system: System, warm: bool) -> None:
    alice, bob, judge = system.person("alice"), system.person("bob"), system.person("judge", "moderate")
    video, (top, middle, _) = await talk(system, alice, "top", "middle", "new")
    await liked(system, top, 5)
    await said(bob, video, "reply", to=middle)
    await system.drain()
    if warm:
        await read(bob, video, "HOT")

    await decide(judge, top, "REJECT")
    await delete(alice, middle)
    await system.drain()
    assert await read(bob, video, "HOT") == ["-", "new"]
    await decide(judge, top, "APPROVE")
    await system.drain()

    assert await read(bob, video, "HOT") == ["top", "-", "new"]
    assert await read(bob, video, "HOT", 1) == ["top", "-", "new"]


@pytest.mark.parametrize("first", [1, 2, 20])
async def test_what_its_author_alone_sees_is_on_top(system: System, first: int) -> None:
    alice, bob, judge = system.person("alice"), system.person("bob"), system.person("judge", "moderate")
    video, (top, rejected, _) = await talk(system, alice, "top", "rejected", "new")
    await liked(system, top, 5)
    await decide(judge, rejected, "REJECT")
    await system.drain()
    await said(alice, video, "just now")
    await said(alice, video, "right now")

    assert await read(alice, video, "HOT", first) == ["right now", "just now", "rejected", "top", "new"]
    assert await read(bob, video, "HOT", first) == ["top", "new"]
    await system.drain()
    assert await read(alice, video, "HOT", first) == ["rejected", "top", "right now", "just now", "new"]


@standalone
async def test_a_huge_cold_subject_is_read_as_far_as_it_is_ranked(system: System) -> None:
    alice = system.person("alice")
    video, _ = await talk(system, alice, "newest")
    await many(system, 500)

    assert [node["text"] for node in (await page(alice, video, "HOT", 3))["nodes"]] == ["newest", "500", "499"]

    cached = await system.state.redis("ZRANGE", key := await hot_list(system), 0, -1)
    assert len(cached) == HOTTEST + 1
    assert FLOOR in cached
    assert await system.state.redis("PTTL", key) <= 600_000


@standalone
@pytest.mark.parametrize("first", [1, 7, 50])
async def test_what_is_not_ranked_follows_newest_first(system: System, first: int) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (newest,) = await talk(system, alice, "newest")
    old = await many(system, 60)
    await liked(system, old[6], 3)
    await liked(system, newest, 1)
    await system.drain()

    assert await read(bob, video, "HOT", first) == ["newest", "7", *(str(i) for i in range(60, 0, -1) if i != 7)]


@standalone
async def test_where_ranked_ones_end_no_more_is_read_than_the_page_and_they(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    newest = comment_lists.newest

    async def told(postgres: Postgres, subject: EntityRef, before: Item | None, count: int) -> list[Item]:
        asked.append(count)
        return await newest(postgres, subject, before, count)

    monkeypatch.setattr(comment_lists, "newest", told)
    async with running(make_settings(moderation=LENIENT, hot_comments=100, cached_comments=100)) as system:
        alice, bob = system.person("alice"), system.person("bob")
        video, _ = await talk(system, alice, "newest")
        await many(system, 600)

        assert await read(bob, video, "HOT", 40) == ["newest", *map(str, range(600, 0, -1))]

    assert max(asked) == 41 - 20 + 100, "twenty of the page were ranked"


async def test_the_same_cursor_always_gives_the_same(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, ids = await talk(system, alice, *map(str, range(9)))
    one = await page(bob, video, "HOT", 3)
    two = await page(bob, video, "HOT", 3, one["pageInfo"]["endCursor"])
    await liked(system, ids[0], 5)
    await liked(system, ids[1], 9)
    await said(alice, video, "another")
    await system.drain()

    assert await page(bob, video, "HOT", 3, one["pageInfo"]["endCursor"]) == two
    three = await page(bob, video, "HOT", 3, two["pageInfo"]["endCursor"])
    assert await page(bob, video, "HOT", 3, two["pageInfo"]["endCursor"]) == three
    texts = [node["text"] for each in (one, two, three) for node in each["nodes"]]
    assert texts == [str(i) for i in range(8, -1, -1)]
    assert [node["text"] for node in (await page(bob, video, "HOT", 3))["nodes"]] == ["1", "0", "another"]


@standalone
async def test_every_edge_has_a_cursor_after_which_the_list_goes_on(system: System) -> None:
    alice = system.person("alice")
    video, _ = await talk(system, alice, *map(str, range(6)))
    one = await page(alice, video, "HOT", 3)
    first, _, last = (edge["cursor"] for edge in one["edges"])

    assert last == one["pageInfo"]["endCursor"]
    after_first = await page(alice, video, "HOT", 2, first)
    assert [node["text"] for node in after_first["nodes"]] == ["4", "3"]
    after_that = await page(alice, video, "HOT", 9, after_first["edges"][0]["cursor"])
    assert [node["text"] for node in after_that["nodes"]] == ["3", "2", "1", "0"]


@standalone
async def test_readers_of_one_cursor_at_once_are_given_the_same(system: System) -> None:
    video, ids = await talk(system, system.person("alice"), *map(str, range(9)))
    nobody = system.person(None)
    after = (await page(nobody, video, "HOT", 3))["pageInfo"]["endCursor"]

    async def reader(i: int) -> list[str]:
        if i % 3 == 0:
            await liked(system, ids[i // 3], 3)
            await system.drain()
        return [node["text"] for node in (await page(nobody, video, "HOT", 3, after))["nodes"]]

    each = [await reader(0), *await asyncio.gather(*[reader(i) for i in (1, 2, 4, 5, 7, 8)]), await reader(3)]

    assert [one for one in each if one != each[0]] == []


async def test_what_vanishes_between_pages_leaves_no_gap(system: System) -> None:
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
async def test_cursors_end_with_their_snapshot_and_are_nobody_elses(make_settings: Callable[..., Settings]) -> None:
    clock = Clock()
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
        clock.ahead_ms += 2 * 600_000
        assert await bob.errors(COMMENTS, id=video, sort="HOT", after=one["pageInfo"]["endCursor"]) == []
        await system.empty_redis()

        for cursor in (one["pageInfo"]["endCursor"], two["pageInfo"]["endCursor"]):
            assert await bob.errors(COMMENTS, id=video, sort="HOT", after=cursor) == bad


@standalone
async def test_cursors_of_a_lost_snapshot_are_not_of_the_one_that_takes_its_place(system: System) -> None:
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
    for reader in (alice, bob):
        oldest, *others = later[reader.handle]
        assert await reader.errors(COMMENTS, id=video, sort="HOT", after=oldest) == [
            ("BAD_CURSOR", ["node", "comments"])
        ]
        for cursor in others:
            assert await reader.errors(COMMENTS, id=video, sort="HOT", after=cursor) == []


class Clock:
    """The wall's, or ahead of it."""

    def __init__(self) -> None:
        self.ahead_ms = 0

    def __call__(self) -> int:
        return wall_clock_ms() + self.ahead_ms


@standalone
async def test_the_longest_page_has_a_cursor_that_opens(system: System) -> None:
    alice = system.person("alice")
    video, _ = await talk(system, alice, "newest")
    await many(system, 250)
    one = await page(alice, video, "HOT", 100)

    two = await page(alice, video, "HOT", 100, one["pageInfo"]["endCursor"])

    assert not {node["id"] for node in one["nodes"]} & {node["id"] for node in two["nodes"]}
    assert len(two["nodes"]) == 100


@standalone
async def test_a_snapshot_that_is_read_lives_on(system: System) -> None:
    video, _ = await talk(system, system.person("alice"), *map(str, range(6)))
    bob = system.person("bob")
    after = (await page(bob, video, "HOT", 2))["pageInfo"]["endCursor"]
    assert await snapshots(system) == []
    after = (await page(bob, video, "HOT", 2, after))["pageInfo"]["endCursor"]
    (key,) = await snapshots(system)
    await system.state.redis("PEXPIRE", key, 1000, write=True)

    await page(bob, video, "HOT", 2, after)

    assert await system.state.redis("PTTL", key) > 1_000_000
    assert await system.state.redis("STRLEN", key) == 24 + 8 * 6


async def snapshots(system: System) -> list[Any]:
    return list(await system.state.redis.client.keys("{snapshot:*"))
