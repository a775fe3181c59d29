"""Delivery of untold events to real rows: grouping, repetition and order."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from models.counters import EntityRef
from models.notifications import NotificationKind, NotificationRow
from settings import POSTS
from store.notifications import delivery, grouping, notifications
from store.notifications.delivery import deliver
from store.notifications.grouping import BUCKET_MS
from store.notifications.marks import Mark, Marks
from store.notifications.untold import COMMENT, FOLLOW, LIKE, MENTION, REPLY, UntoldEvents
from tests.support.locks import locked, waiting_for_locks
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

NOON = 20_000 * 86_400_000 + 12 * 3_600_000
"""A noon, in ms since the Unix epoch."""
ALICE, BOB, CAROL, DAVE = range(1, 5)
POST, OTHER, COMMENTED = EntityRef(POSTS, 10), EntityRef(POSTS, 11), EntityRef(4, 12)

AddEvent = Callable[[UntoldEvents], None]
PARTITION = 3


def at(ms: int, sequence: int = 0) -> int:
    """Returns the version of an event at a time relative to noon."""
    return (NOON + ms) << 20 | sequence


async def store(system: System, *events: AddEvent) -> None:
    """Stores untold events, as one batch."""
    untold = UntoldEvents()
    for add in events:
        add(untold)
    async with system.state.postgres.transaction() as transaction:
        await untold.write(transaction, PARTITION)


async def store_and_deliver(system: System, *events: AddEvent, kept: int = 1000) -> None:
    """Stores untold events, as one batch, and delivers them."""
    await store(system, *events)
    await deliver(system.state.postgres, [PARTITION], system.state.keys.partition_of, kept=kept)


async def rows(system: System, user: int = ALICE) -> list[NotificationRow]:
    """Returns the user's notifications, newest first."""
    return await notifications.page(system.state.postgres, user, 1 << 62, 10_000, Marks())


def summary(rows: list[NotificationRow]) -> list[tuple[NotificationKind, EntityRef, int, tuple[int, ...]]]:
    return [(row.kind, row.ref, row.actor_count, row.actors) for row in rows]


def comments(
    kind: NotificationKind, user: int | None, ref: EntityRef, actor: int, version: int, comment_id: int = 0
) -> AddEvent:
    return lambda untold: untold.said(kind, user, ref, actor, version, (), comment_id)


def likes(actor: int, ref: EntityRef, version: int, owner: int | None = ALICE) -> AddEvent:
    return lambda untold: untold.liked(owner, ref, actor, version)


async def test_each_half_day_has_its_own_notification_in_any_order_of_events(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouping, "BUCKET_MS", BUCKET_MS)
    await store_and_deliver(system, likes(BOB, POST, at(5)), likes(CAROL, POST, at(-5)), likes(DAVE, OTHER, at(6)))
    await store_and_deliver(system, likes(DAVE, POST, at(-6)))

    before, other, after = await rows(system)

    assert summary([before, other, after]) == [
        (LIKE, POST, 2, (DAVE, CAROL)),
        (LIKE, OTHER, 1, (DAVE,)),
        (LIKE, POST, 1, (BOB,)),
    ]
    assert before.created_ms == NOON - 6
    assert before.moment > other.moment > after.moment


async def test_one_comment_sends_each_user_its_most_important_notification_and_none_to_its_author(
    system: System,
) -> None:
    version = at(1)
    kinds = (MENTION, POST), (REPLY, COMMENTED), (COMMENT, POST)
    await store_and_deliver(
        system,
        *(comments(kind, ALICE, ref, BOB, version) for kind, ref in kinds),
        *(comments(kind, DAVE, ref, BOB, version) for kind, ref in (kinds[0], kinds[2])),
        *(comments(kind, BOB, ref, BOB, version) for kind, ref in kinds),
        comments(COMMENT, None, POST, BOB, version),
    )

    assert summary(await rows(system)) == [(REPLY, COMMENTED, 1, (BOB,))]
    assert summary(await rows(system, DAVE)) == [(COMMENT, POST, 1, (BOB,))]
    assert await rows(system, BOB) == []


async def test_a_second_comment_of_a_user_moves_the_notification_up_and_counts_the_user_once(system: System) -> None:
    for version in range(4):
        await store_and_deliver(
            system, comments(COMMENT, ALICE, POST, BOB, at(version)), comments(REPLY, DAVE, POST, BOB, at(version))
        )
        await store_and_deliver(system, likes(CAROL + version, OTHER, at(version)))
    (like, comment), (reply,) = await rows(system), await rows(system, DAVE)
    assert (comment.actor_count, reply.actor_count, like.actor_count) == (1, 1, 4)

    more = [comments(COMMENT, ALICE, POST, actor, at(10 + n)) for n, actor in enumerate((CAROL, BOB, CAROL))]
    await store_and_deliver(system, *more)

    comment, like_below = await rows(system)
    assert summary([comment, like_below]) == [(COMMENT, POST, 2, (CAROL, BOB)), *summary([like])]
    assert (comment.created_ms, comment.moment >> 10) == (NOON, NOON + 12)


async def test_a_notification_has_the_newest_five_comments_of_all_its_events(system: System) -> None:
    def said(*ids: int) -> list[AddEvent]:
        return [comments(COMMENT, ALICE, POST, BOB, at(id_), id_) for id_ in ids]

    await store_and_deliver(system, likes(BOB, POST, at(1)), *said(11, 13, 12))
    assert {row.kind: row.comments for row in await rows(system)} == {LIKE: (), COMMENT: (13, 12, 11)}
    await store(system, *said(14))
    await store(system, *said(15), likes(CAROL, POST, at(2)))
    await store_and_deliver(system, *said(16))

    assert {row.kind: row.comments for row in await rows(system)} == {LIKE: (), COMMENT: (16, 15, 14, 13, 12)}


async def test_a_repeated_mention_does_not_move_its_notification(system: System) -> None:
    await store_and_deliver(system, comments(MENTION, ALICE, POST, BOB, at(1)))
    await store_and_deliver(system, likes(BOB, POST, at(2)))
    await store_and_deliver(system, comments(MENTION, ALICE, POST, BOB, at(30 * 3_600_000)))

    assert [row.kind for row in await rows(system)] == [LIKE, MENTION]


async def test_ten_thousand_likes_are_one_row_with_the_newest_actors(system: System) -> None:
    await store_and_deliver(system, *(likes(100 + n, POST, at(n)) for n in range(10_000)))

    (row,) = await rows(system)

    assert (row.actor_count, row.actors) == (10_000, tuple(range(10_099, 10_094, -1)))
    assert row.moment >> 10 == NOON + 9999


async def test_notifications_of_the_same_time_have_different_moments(system: System) -> None:
    refs = [EntityRef(POSTS, 100 + n) for n in range(50)]
    await store_and_deliver(system, *(likes(BOB, ref, at(0)) for ref in refs))
    await store_and_deliver(
        system, *(likes(CAROL, ref, at(0)) for ref in refs), lambda untold: untold.followed(ALICE, BOB, at(-9))
    )

    found = await rows(system)

    assert len({row.moment for row in found}) == len(found) == 51
    assert [row.kind for row in found][-1] == FOLLOW, "the follow is older than the likes of its batch"


async def test_events_of_several_batches_are_delivered_together_and_once(system: System) -> None:
    for n in range(4):
        await store(system, likes(BOB + n, POST, at(n)), comments(COMMENT, ALICE, OTHER, BOB, at(n)))
    assert await rows(system) == []

    await asyncio.gather(
        *[deliver(system.state.postgres, [PARTITION], system.state.keys.partition_of, kept=1000) for _ in range(3)]
    )
    await deliver(system.state.postgres, [PARTITION + 1], system.state.keys.partition_of, kept=1000)

    like, comment = sorted(await rows(system), key=lambda row: row.kind)
    assert (like.actor_count, comment.actor_count) == (4, 1)
    assert await system.rows("SELECT * FROM untold") == []


async def test_notifications_of_a_later_delivery_are_above_those_of_an_earlier_one(system: System) -> None:
    """Of two concurrent deliveries, the second waits. Its notifications get later moments, even for earlier events."""
    await store(system, likes(BOB, POST, at(100)))
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text("INSERT INTO notification_heads VALUES (1, 0, 0, 0)"))
    async with locked(system, "SELECT 1 FROM notification_heads WHERE user_id = 1"):
        deliveries = [
            asyncio.create_task(deliver(system.state.postgres, [PARTITION], system.state.keys.partition_of, kept=1000))
        ]
        await waiting_for_locks(system, 1)
        await store(system, likes(CAROL, OTHER, at(50)), likes(CAROL, POST, at(60)))
        deliveries.append(
            asyncio.create_task(deliver(system.state.postgres, [PARTITION], system.state.keys.partition_of, kept=1000))
        )
        await waiting_for_locks(system, 2)
        assert await rows(system) == []
    await asyncio.gather(*deliveries)

    top, other = await rows(system)
    assert summary([top, other]) == [(LIKE, POST, 2, (CAROL, BOB)), (LIKE, OTHER, 1, (CAROL,))]
    ((head,),) = await system.rows("SELECT moment FROM notification_heads")
    assert head == top.moment > other.moment > (NOON + 100) << 10


@pytest.mark.parametrize("seen", [False, True])
async def test_a_mark_covers_only_notifications_that_were_delivered_before(system: System, seen: bool) -> None:
    await store_and_deliver(system, likes(BOB, POST, at(1)))
    (row,) = await rows(system)
    mark = Mark(row.moment + (1 << 40), seen)

    await store_and_deliver(system, lambda untold: untold.marked(ALICE, mark, at(1, 1)), likes(BOB, OTHER, at(2)))
    await store(system, lambda untold: untold.marked(DAVE, mark, at(3)))
    await store_and_deliver(system, likes(BOB, COMMENTED, at(4), DAVE))

    newest = (await notifications.newest(system.state.postgres, [ALICE]))[ALICE]
    assert [(row.ref, row.read, row.is_seen) for row in newest.rows] == [(OTHER, False, False), (POST, not seen, True)]
    assert (newest.unread, newest.unseen) == (1 + seen, 1)
    newest = (await notifications.newest(system.state.postgres, [DAVE]))[DAVE]
    assert (newest.unread, newest.unseen) == (1, 1)


async def test_only_the_newest_notifications_of_a_user_are_kept(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "SWEPT_EVERY", 8)
    for n in range(200):
        ref = EntityRef(POSTS, 100 + n)
        await store_and_deliver(
            system, comments(COMMENT, ALICE, ref, BOB, at(n)), likes(BOB, ref, at(n), DAVE), kept=20
        )

    for user in (ALICE, DAVE):
        left = await rows(system, user)
        assert 20 <= len(left) < 80
        assert [row.ref.entity_id for row in left] == [299 - n for n in range(len(left))]
        newest = (await notifications.newest(system.state.postgres, [user]))[user]
        assert newest.unread == len(left)
    assert await notifications_with_actors(system) == [
        (row.notification_id,) for row in sorted_by_id(await rows(system))
    ]


async def notifications_with_actors(system: System) -> list[tuple[Any, ...]]:
    return await system.rows("SELECT notification_id FROM notification_actors ORDER BY notification_id")


def sorted_by_id(rows: list[NotificationRow]) -> list[NotificationRow]:
    return sorted(rows, key=lambda row: row.notification_id)
