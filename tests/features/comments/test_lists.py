"""Commentable.comments by time, and Comment.replies: contents and order for each viewer, cold and warm."""

import pytest

from runner.postgres import Postgres
from store import keys
from tests.support.comments import ADD, REPLIES, added, decide, delete, many, number, page, read, talk
from tests.support.comments import COMMENTS as PAGE
from tests.support.outages import stopped
from tests.support.posts import published
from tests.support.stores import standalone
from tests.support.system import Person, System

TEXTS = ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize("first", [1, 2, 5, 20])
async def test_comments_are_listed_newest_or_oldest_first_and_replies_oldest_first(system: System, first: int) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (root, *_) = await talk(system, alice, *TEXTS)
    for text in TEXTS:
        await added(bob, video, f"r{text}", to=root)
    await system.drain()

    for viewer in (alice, bob, system.person(None)):
        for _ in ("cold", "warm"):
            assert await read(viewer, video, "NEWEST", first) == TEXTS[::-1]
            assert await read(viewer, video, "OLDEST", first) == TEXTS
            assert await read(viewer, root, None, first) == [f"r{text}" for text in TEXTS]


async def test_a_post_has_comments_and_a_reply_has_no_replies(system: System) -> None:
    alice = system.person("alice")
    (post,) = await published(alice, "hello")
    await system.drain()
    root = await added(alice, post, "root")
    reply = await added(alice, post, "reply", to=root)
    await system.drain()

    assert await read(alice, post, "NEWEST") == ["root"]
    assert await read(alice, root, None) == ["reply"]
    assert await read(alice, reply, None) == []


@pytest.mark.parametrize("warm", [True, False], ids=["cached", "not cached"])
async def test_lists_follow_new_deleted_rejected_and_approved_comments(system: System, warm: bool) -> None:
    alice, bob, judge = system.person("alice"), system.person("bob"), system.person("judge", "moderate")
    video, (first, second, third) = await talk(system, alice, "1", "2", "3")
    reply = await added(alice, video, "r1", to=second)
    await added(alice, video, "r2", to=second)
    await system.drain()
    if warm:
        await lists(bob, video, second)

    await added(alice, video, "4")
    await delete(alice, first)
    await delete(alice, second)
    await delete(alice, reply)
    await decide(judge, third, "REJECT")
    await system.drain()

    assert await lists(bob, video, second) == (["4", "-"], ["-", "4"], ["r2"])
    assert await lists(alice, video, second) == (["4", "3", "-"], ["-", "3", "4"], ["r2"])
    await decide(judge, third, "APPROVE")
    await system.drain()
    assert await lists(bob, video, second) == (["4", "3", "-"], ["-", "3", "4"], ["r2"])


async def lists(viewer: Person, video: str, root: str) -> tuple[list[str], list[str], list[str]]:
    return await read(viewer, video, "NEWEST"), await read(viewer, video, "OLDEST"), await read(viewer, root, None)


async def test_the_author_finds_a_new_comment_at_once_at_its_place(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (root, _) = await talk(system, alice, "1", "2")
    await added(bob, video, "r1", to=root)
    await system.drain()
    await lists(bob, video, root)

    await added(alice, video, "3")
    await added(alice, video, "r2", to=root)

    assert await lists(alice, video, root) == (["3", "2", "1"], ["1", "2", "3"], ["r1", "r2"])
    assert await lists(bob, video, root) == (["2", "1"], ["1", "2"], ["r1"])


async def test_only_the_author_finds_a_rejected_comment(system: System) -> None:
    alice, bob, judge = system.person("alice"), system.person("bob"), system.person("judge", "moderate")
    video, (root, second, _) = await talk(system, alice, "1", "2", "3")
    for comment in (root, second):
        await decide(judge, comment, "REJECT")
    await system.drain()
    await system.empty_redis()

    assert await read(alice, video, "NEWEST", 1) == ["3", "2", "1"]
    assert await read(alice, video, "OLDEST", 2) == ["1", "2", "3"]
    assert await read(bob, video, "NEWEST", 1) == ["3"]
    assert await read(bob, video, "OLDEST", 1) == ["3"]


@standalone
async def test_hidden_comments_leave_no_gap_in_a_cached_page(system: System) -> None:
    alice, bob, judge = system.person("alice"), system.person("bob"), system.person("judge", "moderate")
    video, ids = await talk(system, alice, *map(str, range(40)))
    assert len(await read(bob, video, "NEWEST")) == 40
    for comment in ids[5:35]:
        await decide(judge, comment, "REJECT")
    await system.drain()

    assert await read(bob, video, "NEWEST", 3) == [str(i) for i in (*range(39, 34, -1), *range(4, -1, -1))]
    assert await read(bob, video, "OLDEST", 3) == [str(i) for i in (*range(5), *range(35, 40))]


@standalone
async def test_a_list_that_is_longer_than_its_cache_continues_from_rows(system: System) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (root,) = await talk(system, alice, "root")
    await many(system, 1000)
    await many(system, 1000, root_id=number(root))

    for _ in ("cold", "warm"):
        newest = await read(bob, video, "NEWEST", 100)
        assert newest == ["root", *map(str, range(1000, 0, -1))]
        assert await read(bob, video, "OLDEST", 90) == newest[::-1]
        assert await read(bob, root, None, 99) == [f"r{i}" for i in range(1, 1001)]
    (subject,) = await system.rows("SELECT DISTINCT subject_business, subject_id FROM comments")
    cached = await system.state.redis("ZCARD", f"{{comments:{subject[0]}:{subject[1]}}}")
    assert cached <= 1 + 1.1 * system.settings.caches.comments


@standalone
async def test_a_cursor_is_valid_for_its_own_list_only(system: System) -> None:
    alice = system.person("alice")
    video, (root, *_) = await talk(system, alice, *TEXTS)
    await added(alice, video, "r1", to=root)
    await system.drain()
    cursors = {sort: (await page(alice, video, sort, 2))["pageInfo"]["endCursor"] for sort in ("NEWEST", "OLDEST")}
    cursors["replies"] = (await page(alice, root, None))["pageInfo"]["endCursor"]

    for sort in ("NEWEST", "OLDEST"):
        for name, cursor in (*cursors.items(), ("", "nonsense"), ("", "")):
            expected = [] if name == sort else [("BAD_CURSOR", ["node", "comments"])]
            assert await alice.errors(PAGE, id=video, sort=sort, after=cursor) == expected
    assert await alice.errors(REPLIES, id=root, after=cursors["OLDEST"]) == [("BAD_CURSOR", ["node", "comments"])]
    for first in (0, -1, 101):
        assert await alice.errors(PAGE, id=video, sort="NEWEST", first=first) == [("BAD_INPUT", ["node", "comments"])]


@standalone
async def test_a_write_creates_no_partial_cached_list(system: System) -> None:
    alice = system.person("alice")
    video, (root,) = await talk(system, alice, "root")
    await added(alice, video, "reply", to=root)
    await system.drain()

    assert await system.state.redis("EXISTS", keys.replies(number(root))) == 0
    (subject,) = await system.rows("SELECT DISTINCT subject_business, subject_id FROM comments")
    assert await system.state.redis("EXISTS", f"{{comments:{subject[0]}:{subject[1]}}}") == 0


@standalone
async def test_cached_lists_can_be_read_while_postgres_is_down(system: System, postgres: Postgres) -> None:
    alice, bob = system.person("alice"), system.person("bob")
    video, (root, *_) = await talk(system, alice, *TEXTS)
    await added(bob, video, "r1", to=root)
    await system.drain()
    for sort in ("HOT", "NEWEST", "OLDEST"):
        await read(alice, video, sort, 2)
    await read(alice, root, None)

    async with stopped(postgres, system.state.postgres):
        await alice.send(ADD, subject=video, to=None, text="during", key="k")  # the reply count is unknown
        found = {sort: await read(alice, video, sort, 2) for sort in ("HOT", "NEWEST", "OLDEST")}
        replies = await read(alice, root, None)

    newest = ["during", *TEXTS[::-1]]
    assert found == {"HOT": ["during", "1", "5", "4", "3", "2"], "NEWEST": newest, "OLDEST": newest[::-1]}
    assert replies == ["r1"]
