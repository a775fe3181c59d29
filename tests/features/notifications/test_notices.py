"""The accumulator, over real rows: what is told together, what is told once, and in which order."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text

from models.counters import EntityRef
from models.notifications import NotificationKind, NotificationRow
from settings import POSTS
from store.notifications import delivery as telling
from store.notifications import notifications
from store.notifications.delivery import BUCKET_MS, deliver
from store.notifications.outbox import COMMENT, FOLLOW, LIKE, MENTION, REPLY, NotificationOutbox
from tests.support.concurrent_follows import locked, waiting_for_locks
from tests.support.system import System

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

NOON = 20_000 * 86_400_000 + 12 * 3_600_000
"""A noon, in ms."""
ALICE, BOB, CAROL, DAVE = range(1, 5)
POST, OTHER, COMMENTED = EntityRef(POSTS, 10), EntityRef(POSTS, 11), EntityRef(4, 12)

Happens = Callable[[NotificationOutbox], None]
P = 3


def at(ms: int, sequence: int = 0) -> int:
    """A version."""
    return (NOON + ms) << 20 | sequence


async def stored(system: System, *happens: Happens) -> None:
    """What happens is stored by a batch of its own."""
    notices = NotificationOutbox()
    for one in happens:
        one(notices)
    async with system.state.postgres.transaction() as transaction:
        await notices.write(transaction, P)


async def batch(system: System, *happens: Happens, kept: int = 1000) -> None:
    """What happens is stored, and told."""
    await stored(system, *happens)
    await deliver(system.state.postgres, [P], kept=kept)


async def rows(system: System, user: int = ALICE) -> list[NotificationRow]:
    """A user's, newest first."""
    return await notifications.page(system.state.postgres, user, 1 << 62, 10_000, 0)


def told(rows: list[NotificationRow]) -> list[tuple[NotificationKind, EntityRef, int, tuple[int, ...]]]:
    return [(row.kind, row.ref, row.actor_count, row.actors) for row in rows]


def says(kind: NotificationKind, user: int | None, ref: EntityRef, actor: int, version: int) -> Happens:
    return lambda notices: notices.said(kind, user, ref, actor, version)


def likes(actor: int, ref: EntityRef, version: int, owner: int | None = ALICE) -> Happens:
    return lambda notices: notices.liked(owner, ref, actor, version)


async def test_half_days_are_told_apart_whatever_comes_first(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "BUCKET_MS", BUCKET_MS)
    await batch(system, likes(BOB, POST, at(5)), likes(CAROL, POST, at(-5)), likes(DAVE, OTHER, at(6)))
    await batch(system, likes(DAVE, POST, at(-6)))

    before, other, after = await rows(system)

    assert told([before, other, after]) == [
        (LIKE, POST, 2, (DAVE, CAROL)),
        (LIKE, OTHER, 1, (DAVE,)),
        (LIKE, POST, 1, (BOB,)),
    ]
    assert before.created_ms == NOON - 6
    assert before.moment > other.moment > after.moment


async def test_of_one_thing_said_the_weightiest_is_told_and_nobody_is_told_of_their_own(system: System) -> None:
    said = at(1)
    kinds = (MENTION, POST), (REPLY, COMMENTED), (COMMENT, POST)
    await batch(
        system,
        *(says(kind, ALICE, ref, BOB, said) for kind, ref in kinds),
        *(says(kind, DAVE, ref, BOB, said) for kind, ref in (kinds[0], kinds[2])),
        *(says(kind, BOB, ref, BOB, said) for kind, ref in kinds),
        says(COMMENT, None, POST, BOB, said),
    )

    assert told(await rows(system)) == [(REPLY, COMMENTED, 1, (BOB,))]
    assert told(await rows(system, DAVE)) == [(COMMENT, POST, 1, (BOB,))]
    assert await rows(system, BOB) == []


async def test_who_comments_again_is_told_again_and_counted_once(system: System) -> None:
    for version in range(4):
        await batch(system, says(COMMENT, ALICE, POST, BOB, at(version)), says(REPLY, DAVE, POST, BOB, at(version)))
        await batch(system, likes(CAROL + version, OTHER, at(version)))
    (like, comment), (reply,) = await rows(system), await rows(system, DAVE)
    assert (comment.actor_count, reply.actor_count, like.actor_count) == (1, 1, 4)

    twice = [says(COMMENT, ALICE, POST, who, at(10 + n)) for n, who in enumerate((CAROL, BOB, CAROL))]
    await batch(system, *twice)

    comment, like_below = await rows(system)
    assert told([comment, like_below]) == [(COMMENT, POST, 2, (CAROL, BOB)), *told([like])]
    assert (comment.created_ms, comment.moment >> 10) == (NOON, NOON + 12)


async def test_a_mention_that_was_told_stays_where_it_is(system: System) -> None:
    await batch(system, says(MENTION, ALICE, POST, BOB, at(1)))
    await batch(system, likes(BOB, POST, at(2)))
    await batch(system, says(MENTION, ALICE, POST, BOB, at(30 * 3_600_000)))

    assert [row.kind for row in await rows(system)] == [LIKE, MENTION]


async def test_a_flood_is_one_row_with_its_newest_few(system: System) -> None:
    await batch(system, *(likes(100 + n, POST, at(n)) for n in range(10_000)))

    (row,) = await rows(system)

    assert (row.actor_count, row.actors) == (10_000, tuple(range(10_099, 10_094, -1)))
    assert row.moment >> 10 == NOON + 9999


async def test_what_is_told_at_one_moment_has_moments_of_its_own(system: System) -> None:
    refs = [EntityRef(POSTS, 100 + n) for n in range(50)]
    await batch(system, *(likes(BOB, ref, at(0)) for ref in refs))
    await batch(
        system, *(likes(CAROL, ref, at(0)) for ref in refs), lambda notices: notices.followed(ALICE, BOB, at(-9))
    )

    found = await rows(system)

    assert len({row.moment for row in found}) == len(found) == 51
    assert [row.kind for row in found][-1] == FOLLOW, "it happened before the others of its batch"


async def test_what_several_batches_have_stored_is_told_together_and_once(system: System) -> None:
    for n in range(4):
        await stored(system, likes(BOB + n, POST, at(n)), says(COMMENT, ALICE, OTHER, BOB, at(n)))
    assert await rows(system) == []

    await asyncio.gather(*[deliver(system.state.postgres, [P], kept=1000) for _ in range(3)])
    await deliver(system.state.postgres, [P + 1], kept=1000)

    like, comment = sorted(await rows(system), key=lambda row: row.kind)
    assert (like.actor_count, comment.actor_count) == (4, 1)
    assert await system.rows("SELECT * FROM untold") == []


async def test_whoever_tells_later_is_above_whoever_told_before(system: System) -> None:
    """Of two concurrent deliveries, the second waits. Its notifications get later moments, even for earlier events."""
    await stored(system, likes(BOB, POST, at(100)))
    async with system.state.postgres.transaction() as transaction:
        await transaction.execute(text("INSERT INTO notification_heads VALUES (1, 0, 0, 0)"))
    async with locked(system, "SELECT 1 FROM notification_heads"):
        telling = [asyncio.create_task(deliver(system.state.postgres, [P], kept=1000))]
        await waiting_for_locks(system, 1)
        await stored(system, likes(CAROL, OTHER, at(50)), likes(CAROL, POST, at(60)))
        telling.append(asyncio.create_task(deliver(system.state.postgres, [P], kept=1000)))
        await waiting_for_locks(system, 2)
        assert await rows(system) == []
    await asyncio.gather(*telling)

    top, other = await rows(system)
    assert told([top, other]) == [(LIKE, POST, 2, (CAROL, BOB)), (LIKE, OTHER, 1, (CAROL,))]
    ((head,),) = await system.rows("SELECT moment FROM notification_heads")
    assert head == top.moment > other.moment > (NOON + 100) << 10


async def test_nothing_is_read_that_had_not_been_told(system: System) -> None:
    await batch(system, likes(BOB, POST, at(1)))
    (row,) = await rows(system)
    future = row.moment + (1 << 40)

    await batch(system, lambda notices: notices.read(ALICE, future, at(1, 1)), likes(BOB, OTHER, at(2)))
    await stored(system, lambda notices: notices.read(DAVE, future, at(3)))
    await batch(system, likes(BOB, COMMENTED, at(4), DAVE))

    newest = (await notifications.newest(system.state.postgres, [ALICE]))[ALICE]
    assert [(row.ref, row.read) for row in newest.rows] == [(OTHER, False), (POST, True)]
    assert newest.unread == 1
    assert (await notifications.newest(system.state.postgres, [DAVE]))[DAVE].unread == 1


async def test_of_very_many_the_newest_stay(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(telling, "SWEPT_EVERY", 8)
    for n in range(200):
        ref = EntityRef(POSTS, 100 + n)
        await batch(system, says(COMMENT, ALICE, ref, BOB, at(n)), likes(BOB, ref, at(n), DAVE), kept=20)

    for user in (ALICE, DAVE):
        left = await rows(system, user)
        assert 20 <= len(left) < 80
        assert [row.ref.entity_id for row in left] == [299 - n for n in range(len(left))]
        newest = (await notifications.newest(system.state.postgres, [user]))[user]
        assert newest.unread == len(left)
    assert await counted(system) == [(row.notification_id,) for row in sorted_by_id(await rows(system))]


async def counted(system: System) -> list[tuple[Any, ...]]:
    return await system.rows("SELECT notification_id FROM notification_actors ORDER BY notification_id")


def sorted_by_id(rows: list[NotificationRow]) -> list[NotificationRow]:
    return sorted(rows, key=lambda row: row.notification_id)
