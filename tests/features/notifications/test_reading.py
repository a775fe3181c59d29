"""Marking as read: exactly the notifications that the user has seen become read, at once."""

import pytest

from runner.postgres import Postgres
from store.notifications import notifications
from tests.support.notifications import MARK, Page, everything, liked_posts, mark, page, people, unread
from tests.support.outages import stopped
from tests.support.posts import HOME, SQUARE
from tests.support.stores import standalone
from tests.support.system import System


def read(shown: Page) -> list[bool]:
    return [node["read"] for node in shown.nodes]


@pytest.mark.parametrize("stored", [False, True], ids=["acknowledged", "stored"])
async def test_a_mark_reads_the_seen_notifications_and_no_others(system: System, stored: bool) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    posts = await liked_posts(system, alice, bob, 4)
    seen = await page(alice)
    await carol.like(posts[1])
    await system.drain()

    viewer = await mark(alice, seen.cursors[1])

    assert viewer == {
        "unreadNotificationCount": 2,
        "notifications": {"nodes": [{"read": False}, {"read": False}, {"read": True}, {"read": True}]},
    }
    if stored:
        await system.drain()
        await system.empty_redis()
    now = await page(alice)
    assert [node["subject"]["id"] for node in now.nodes] == [posts[1], posts[3], posts[2], posts[0]]
    assert (read(now), now.unread) == ([False, False, True, True], 2)


async def test_a_new_actor_makes_a_read_notification_unread(system: System) -> None:
    alice, bob, carol = await people(system, "alice", "bob", "carol")
    (post,) = await liked_posts(system, alice, bob, 1)
    await mark(alice, (await page(alice)).cursors[0])
    assert await unread(alice) == 0

    await carol.like(post)
    await system.drain()

    now = await page(alice)
    assert (read(now), now.unread) == ([False], 1)


async def test_an_older_mark_changes_nothing(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 3)
    cursors = (await page(alice)).cursors
    for cursor in (cursors[0], cursors[2], cursors[1]):
        await mark(alice, cursor)
        assert await unread(alice) == 0
    await system.drain()

    assert await unread(alice) == 0
    assert await system.rows("SELECT count(*) FROM dead_letters") == [(0,)]


async def test_a_cursor_of_another_list_or_user_marks_nothing(system: System) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 1)
    await liked_posts(system, bob, alice, 1)
    hers, his = (await page(alice)).cursors[0], (await page(bob)).cursors[0]
    home_cursor = (await alice.ask(HOME, first=1))["viewer"]["home"]["pageInfo"]["endCursor"]
    square_cursor = (await alice.ask(SQUARE, first=1, after=None))["square"]["pageInfo"]["endCursor"]

    for cursor in (his, home_cursor, square_cursor, hers[:-1], "nonsense", ""):
        assert await alice.errors(MARK, upTo=cursor) == [("BAD_CURSOR", ["markNotificationsRead"])]
    assert await system.person(None).errors(MARK, upTo=hers) == [("UNAUTHENTICATED", ["markNotificationsRead"])]
    assert await unread(alice) == await unread(bob) == 1


@standalone
async def test_the_unread_count_agrees_with_a_list_deeper_than_the_cache(system: System) -> None:
    """The marks are below the cached part of the list. The test compares before and after they are stored."""
    alice, bob = await people(system, "alice", "bob")
    deep = notifications.CACHED + 10
    keys = [f"v{n}" for n in range(deep)]
    videos = await system.videos(*keys, owner="alice")
    for video in videos:
        await bob.like(video)
    await system.drain()
    nodes = await everything(alice, 25)
    assert sorted(node["subject"]["id"] for node in nodes) == sorted(videos)
    assert await unread(alice) == deep

    bottom = await page(alice, 25, (await page(alice, deep - 10)).end)
    for at, cursor in ((deep - 3, bottom.cursors[-3]), (deep - 8, bottom.cursors[2])):
        await mark(alice, cursor)
        for _ in range(2):
            now = await everything(alice, 25)
            assert [node["read"] for node in now].index(True) == at
            assert await unread(alice) == [node["read"] for node in now].count(False) == at
            await system.drain()


@standalone
async def test_notifications_can_be_marked_while_postgres_is_down(system: System, postgres: Postgres) -> None:
    alice, bob = await people(system, "alice", "bob")
    await liked_posts(system, alice, bob, 2)
    seen = await page(alice)

    async with stopped(postgres, system.state.postgres):
        viewer = await mark(alice, seen.cursors[0])
        assert viewer["unreadNotificationCount"] == 0
        assert read(await page(alice)) == [True, True]
    await system.drain()
    await system.empty_redis()

    assert await unread(alice) == 0
