"""Commentable.comments(sort: HOT): the effect of votes and replies on rows and on cached lists."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from domain.ranking import hot_comment
from loaders import comments
from models.counters import EntityRef
from settings import Settings
from store.cache.lists import FLOOR, Item
from store.postgres.client import Postgres
from tests.support.comments import added, decide, delete, liked, many, page, read, talk
from tests.support.stores import standalone
from tests.support.system import LENIENT, System, running

HOTTEST = 10
MOMENTS = "SELECT comment_id, text, moment FROM comment_contents WHERE root_id IS NULL"
SCORES = "SELECT comment_id, score FROM comments WHERE root_id = 0"


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system that ranks few comments."""
    async with running(make_settings(moderation=LENIENT, caches={"hot_comments": HOTTEST})) as system:
        yield system


async def hot_list(system: System) -> str:
    (subject,) = await system.rows("SELECT DISTINCT subject_business, subject_id FROM comments")
    return f"{{hot_comments:{subject[0]}:{subject[1]}}}"


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_likes_and_replies_raise_a_comment_and_dislikes_lower_it(system: System, warm: bool) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (old, answered, new) = await talk(system, alice, "old", "answered", "new")
    if warm:
        assert await read(bob, video, "HOT") == ["new", "answered", "old"]

    await liked(system, old, 4)
    await liked(system, new, 2, "dislike")
    await added(bob, video, "reply", to=answered)
    await system.drain()

    for viewer in (alice, bob, system.person(None)):
        for first in (1, 2, 20):
            assert await read(viewer, video, "HOT", first) == ["old", "answered", "new"]
    await liked(system, old, 4, "unlike")
    await system.drain()
    assert await read(bob, video, "HOT") == ["answered", "old", "new"]
    await system.empty_redis()
    assert await read(bob, video, "HOT") == ["answered", "old", "new"]


async def test_rows_store_the_score_of_the_ranking_formula(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (first, second, third) = await talk(system, alice, "first", "second", "third")
    await liked(system, first, 3)
    reply = await added(bob, video, "reply", to=second)
    await system.drain()
    await liked(system, reply, 3)
    await added(bob, video, "another", to=second)
    await delete(bob, reply)
    await liked(system, third, 2, "dislike")
    await system.drain()

    roots, scores = await system.rows(MOMENTS), dict(await system.rows(SCORES))
    moments = {text: moment for _, text, moment in roots}
    assert {text: scores[comment_id] for comment_id, text, _ in roots} == {
        "first": hot_comment(moments["first"], 3, 0, 0),
        "second": hot_comment(moments["second"], 0, 0, 1),
        "third": hot_comment(moments["third"], 0, 2, 0),
    }


@pytest.mark.parametrize("warm", [False, True], ids=["cold", "warm"])
async def test_a_rejected_comment_leaves_the_list_and_an_approved_one_returns_with_its_votes(
    system: System, warm: bool
) -> None:
    alice, bob, judge = system.person("alice"), system.person("bob"), system.person("judge", "moderate")
    video, (top, middle, _) = await talk(system, alice, "top", "middle", "new")
    await liked(system, top, 5)
    await added(bob, video, "reply", to=middle)
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
async def test_authors_find_their_unpublished_comments_on_top(system: System, first: int) -> None:
    alice, bob, judge = system.person("alice"), system.person("bob"), system.person("judge", "moderate")
    video, (top, rejected, _) = await talk(system, alice, "top", "rejected", "new")
    await liked(system, top, 5)
    await decide(judge, rejected, "REJECT")
    await system.drain()
    await added(alice, video, "just now")
    await added(alice, video, "right now")

    assert await read(alice, video, "HOT", first) == ["right now", "just now", "rejected", "top", "new"]
    assert await read(bob, video, "HOT", first) == ["top", "new"]
    await system.drain()
    assert await read(alice, video, "HOT", first) == ["rejected", "top", "right now", "just now", "new"]


@standalone
async def test_a_large_cold_subject_is_cached_only_as_far_as_it_is_ranked(system: System) -> None:
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
async def test_unranked_comments_follow_the_ranked_ones_newest_first(system: System, first: int) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (newest,) = await talk(system, alice, "newest")
    old = await many(system, 60)
    await liked(system, old[6], 3)
    await liked(system, newest, 1)
    await system.drain()

    assert await read(bob, video, "HOT", first) == ["newest", "7", *(str(i) for i in range(60, 0, -1) if i != 7)]


@standalone
async def test_the_page_where_the_ranked_comments_end_reads_a_bounded_number_of_rows(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []
    newest = comments.NEWEST.truth

    async def counting(postgres: Postgres, subject: EntityRef, before: Item | None, count: int) -> list[Item]:
        counts.append(count)
        return await newest(postgres, subject, before, count)

    monkeypatch.setitem(vars(comments.NEWEST), "truth", counting)
    async with running(make_settings(moderation=LENIENT, caches={"hot_comments": 100, "comments": 100})) as system:
        alice, bob = system.person("alice"), system.person("bob")
        video, _ = await talk(system, alice, "newest")
        await many(system, 600)

        assert await read(bob, video, "HOT", 40) == ["newest", *map(str, range(600, 0, -1))]

    assert max(counts) == 41 - 20 + 100, "twenty comments of the page were ranked"
