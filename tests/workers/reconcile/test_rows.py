"""Tests break derived rows: reconciliation finds and repairs each, and caches have the repaired values."""

import asyncio

import pytest

from store.reconcile import comments, posts
from tests.support.comments import added, floors
from tests.support.reconciliation import drift, execute, populate
from tests.support.stores import standalone
from tests.support.system import System

COUNTER = "UPDATE counters SET value = value + 3 WHERE kind = {kind} AND business_id = {business}"
BROKEN = {
    "counters": {
        **{
            COUNTER.format(kind=kind, business=business): {name: count}
            for name, kind, business, count in [
                ("likes", 1, 100, 1), ("likes", 1, 2, 1), ("likes", 1, 4, 1), ("dislikes", 2, 100, 1),
                ("views", 3, 100, 1), ("shares", 4, 100, 2), ("likes_received", 5, 1, 2), ("followers", 6, 1, 3),
                ("following", 7, 1, 3), ("friends", 8, 1, 3), ("posts", 9, 1, 2), ("posts", 9, 3, 3),
                ("comments", 10, 100, 1), ("root_comments", 11, 2, 1), ("replies", 12, 4, 2),
            ]
        },
        "DELETE FROM counters WHERE kind IN (2, 9)": {"dislikes": 1, "posts": 5},
        "INSERT INTO counters (business_id, entity_id, kind, value, version) VALUES (100, 7, 1, 5, 1)": {"likes": 1},
    },
    "follows": {
        "DELETE FROM following WHERE friends_moment IS NOT NULL": {"follow_lists": 2},
        "UPDATE followers SET moment = moment + 1": {"follow_lists": 2},
        "UPDATE following SET friends_moment = NULL": {"follow_lists": 2},
        "INSERT INTO following (user_id, followee_id, moment) VALUES (5, 6, 7)": {"follow_lists": 1},
        "INSERT INTO followers (user_id, follower_id, moment) VALUES (9, 8, 7)": {"follow_lists": 1},
    },
    "posts": {
        "UPDATE outboxes SET state = 0": {"outboxes_and_topics": 3},
        "UPDATE outboxes SET moment = moment - 1": {"outboxes_and_topics": 3},
        "DELETE FROM outboxes": {"outboxes_and_topics": 3},
        "INSERT INTO outboxes (author_id, post_id, moment, state, pushed) VALUES (1, 2, 3, 1, false)": {
            "outboxes_and_topics": 1
        },
        "DELETE FROM topic_posts WHERE topic_id <> 0": {"outboxes_and_topics": 3},
        "DELETE FROM topics": {"outboxes_and_topics": 3},
        "UPDATE topic_posts SET counted = false": {"outboxes_and_topics": 5},
        "INSERT INTO topic_posts (topic_id, post_id, moment, score) SELECT 77, post_id, moment, 1 FROM posts": {
            "outboxes_and_topics": 3
        },
    },
    "comments": {
        "UPDATE comments SET state = 2": {"comment_index": 5},
        "UPDATE comments SET moment = 1, author_id = 1": {"comment_index": 5},
        "DELETE FROM comments": {"comment_index": 5},
        "UPDATE comment_contents SET answered = false WHERE deleted": {"comment_index": 1},
        "UPDATE comment_contents SET answered = true WHERE root_id IS NULL": {"comment_index": 1},
        """INSERT INTO comments (subject_business, subject_id, comment_id, root_id, author_id, moment, state, score)
           VALUES (2, 1, 1, 0, 1, 1, 1, 1)""": {"comment_index": 1},
        "UPDATE comment_subjects SET floors = 0": {"floors": 5},
        "DELETE FROM comment_subjects WHERE business_id = 2": {"floors": 2},
        "UPDATE comment_contents SET floor = 1": {"floors": 1},
    },
    "notifications": {
        "UPDATE notification_heads SET moment = moment - 1": {"notification_heads": 4},
        "UPDATE notification_heads SET read_moment = moment + (1::bigint << 40)": {"notification_heads": 4},
        "DELETE FROM notification_heads": {"notification_heads": 4},
        "UPDATE notifications SET actor_count = 9 WHERE kind IN (3, 4)": {"notification_actors": 4},
    },
}  # fmt: skip


@standalone
@pytest.mark.parametrize("part", BROKEN)
async def test_broken_rows_are_found_and_repaired(part: str, system: System) -> None:
    await populate(system)

    for sql, expected in BROKEN[part].items():
        await execute(system, sql)

        assert await drift(system, part) == expected, sql
        assert await drift(system, part, repair=True) == expected, sql
        assert await drift(system, part) == {}, sql
    await drift(system, "counters", repair=True)  # the broken row was counted meanwhile
    assert await drift(system) == {}


@standalone
async def test_replies_to_a_comment_that_is_not_stored_are_not_compared(system: System) -> None:
    await populate(system)

    await execute(system, "INSERT INTO counters (business_id, entity_id, kind, value, version) VALUES (4, 7, 12, 1, 1)")

    assert await drift(system, "counters") == {}


@standalone
async def test_comments_that_share_a_floor_get_the_unused_floors(system: System) -> None:
    """Two concurrent repairs, on a subject and below a root comment."""
    alice = system.person("alice")
    (video,) = await system.videos("v1")
    roots = [await added(alice, video, f"root {n}") for n in range(5)]
    replies = [await added(alice, video, f"reply {n}", roots[0]) for n in range(3)]
    await system.drain()
    assert (await floors(system, *roots), await floors(system, *replies)) == ([1, 2, 3, 4, 5], [1, 2, 3])
    await execute(system, "UPDATE comment_contents SET floor = 2 WHERE floor IN (2, 3, 4)")

    await asyncio.gather(*[drift(system, "comments", repair=True) for _ in range(2)])

    assert set(await floors(system, *roots)) == {1, 2, 3, 4, 5}
    assert set(await floors(system, *replies)) == {1, 2, 3}
    later = [await added(alice, video, "root"), await added(alice, video, "reply", roots[0])]
    await system.drain()
    assert await floors(system, *later) == [6, 4]


@standalone
async def test_a_comment_that_shares_a_floor_gets_a_new_one_if_all_others_are_in_use(system: System) -> None:
    alice = system.person("alice")
    (video,) = await system.videos("v1")
    roots = [await added(alice, video, f"root {n}") for n in range(3)]
    await system.drain()
    await execute(
        system, "UPDATE comment_contents SET floor = 2 WHERE floor = 3", "UPDATE comment_subjects SET floors = 2"
    )

    await drift(system, "comments", repair=True)

    assert await floors(system, *roots) == [1, 2, 3]


@standalone
async def test_rows_that_are_written_meanwhile_are_not_removed(system: System) -> None:
    await populate(system)
    await execute(
        system,
        """INSERT INTO comments (subject_business, subject_id, comment_id, root_id, author_id, moment, state, score)
           VALUES (2, 1, 1, 0, 1, 1, 1, 1)""",
        "INSERT INTO outboxes (author_id, post_id, moment, state, pushed) VALUES (1, 2, 3, 1, false)",
    )
    removals = [
        (comments.remove_unwritten, "SELECT subject_business, subject_id, comment_id FROM comments ORDER BY 1, 2, 3"),
        (posts.remove_unwritten, "SELECT author_id, post_id FROM outboxes ORDER BY 1, 2"),
    ]

    for remove, places in removals:
        stray, *written = [tuple(row) for row in await system.rows(places)]
        async with system.state.postgres.transaction() as transaction:
            await remove(transaction, [stray, *written])
        assert await system.rows(places) == written
    assert await drift(system, "comments", "posts") == {}
