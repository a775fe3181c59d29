"""Repairs while workers write: no change is lost or counted twice, and repaired values are correct at once."""

import asyncio
import random
from contextlib import suppress

import pytest
from sqlalchemy import text

from projections.apply import apply
from projections.batch import Batch
from projections.entries import likes
from projections.entries.likes import Reacted
from store.postgres.client import PostgresDown
from tests.support.citus import one_order
from tests.support.comments import added
from tests.support.follows import change
from tests.support.locks import locked, waiting_for_locks
from tests.support.posts import published
from tests.support.reconciliation import dismiss, drift, execute, populate
from tests.support.stores import standalone
from tests.support.system import System
from tests.support.workers import ready, working
from workers.persist import parsed
from workers.reconcile import follows

WRONG = "UPDATE counters SET value = value + 3"
TWO_WRONG = """INSERT INTO counters (business_id, entity_id, kind, value, version)
    SELECT 100, entity_id, 1, 7, 1 FROM generate_series(1, 2) AS entity_id"""
LIKES = "SELECT value FROM counters WHERE (business_id, kind) = (100, 1)"
BROKEN = (
    WRONG,
    # Without its counters of value 0, which a repair does not write again, an entity would have a lower version.
    "DELETE FROM counters WHERE entity_id % 3 = 0 AND value <> 0",
    "DELETE FROM followers WHERE user_id % 2 = 0",
    "UPDATE outboxes SET state = 0",
    "UPDATE comments SET state = 0",
)
ROWS = "follows", "posts", "comments", "counters"


async def events_of(system: System, video: str) -> list[Reacted]:
    """Returns a like that a worker has read."""
    await system.person("bob").like(video)
    worker = await ready(system)
    events, _ = parsed(await worker.read(worker.owned))
    await worker.ownership.leave()
    return [event for event in events if isinstance(event, Reacted)]


async def once_liked(system: System) -> str:
    (video,) = await system.videos("v1", owner="owen")
    await system.person("alice").like(video)
    await system.drain()
    await dismiss(system)
    return video


@standalone
async def test_an_uncommitted_change_is_added_to_a_repaired_counter(system: System) -> None:
    video = await once_liked(system)
    events = await events_of(system, video)
    await execute(system, WRONG)

    async with system.state.postgres.transaction() as transaction:
        batch = Batch(system.state, transaction, events)
        await likes.PROJECTION.apply(batch, events)
        await drift(system, "counters", repair=True)
        assert await system.rows(LIKES) == [(1,)]
        await batch.write()

    assert await system.rows(LIKES) == [(2,)]
    assert await drift(system, "counters") == {}


@standalone
async def test_a_repair_waits_for_a_transaction_that_moves_counters(system: System) -> None:
    video = await once_liked(system)
    events = await events_of(system, video)
    await execute(system, WRONG)

    async with system.state.postgres.transaction() as transaction:
        await apply(system.state, transaction, events)
        repair = asyncio.create_task(drift(system, "counters", repair=True))
        _, waiting = await asyncio.wait([repair], timeout=0.5)
        assert waiting

    await repair
    assert await system.rows(LIKES) == [(2,)]
    assert await drift(system, "counters") == {}


@standalone
async def test_a_repaired_counter_has_its_watermark_and_replaces_copies(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = system.person("alice")
    assert (await alice.like(video))["target"]["likeCount"] == 1
    await (await ready(system)).step()  # stored and published, and still pending
    await execute(system, "DELETE FROM counters")

    await drift(system, "counters", repair=True)

    for person in (alice, system.person("bob")):
        assert (await person.ask("query ($id: ID!) { node(id: $id) { ... on Entity { likeCount } } }", id=video)) == {
            "node": {"likeCount": 1}
        }


async def act(system: System, name: str, things: list[str], people: list[str], rng: random.Random) -> None:
    """Performs random actions of one person."""
    person, followed = system.person(name), set[str]()
    for i in range(12):
        thing = rng.choice(things)
        await person.react(rng.choice(["like", "unlike", "dislike"]), thing)
        target = rng.choice(people)
        await change(person, "unfollow" if target in followed else "follow", target)
        followed ^= {target}
        if i % 3 == 0:
            await added(person, thing, f"{name} {i}")
            await published(person, f"{name} {i}")


@standalone
async def test_repairs_during_concurrent_writes_are_exact(system: System) -> None:
    rng = random.Random(7)
    names = [f"user{i}" for i in range(4)]
    people = [await system.person(f"star{i}").id() for i in range(3)]
    things = await system.videos("v1", "v2", owner="owen")
    async with working(system.worker()):
        acting = asyncio.gather(*[act(system, name, things, people, random.Random(name)) for name in names])
        repaired = 0
        while not (acting.done() and repaired):
            await execute(system, rng.choice(BROKEN))
            repaired += sum((await drift(system, *ROWS, repair=True)).values())
            assert await drift(system, *ROWS) == {}
        await acting
    await system.drain()

    assert repaired
    assert await drift(system) == {}


async def _repair_counters(system: System) -> None:
    await drift(system, "counters", repair=True)


async def _repair_heads(system: System) -> None:
    await drift(system, "notifications", repair=True)


async def _repair_pairs(system: System) -> None:
    ((lo, hi),) = await system.rows("SELECT lo, hi FROM follows ORDER BY lo, hi LIMIT 1")
    await follows._repair(system.state, [(lo, hi), (1 << 61, 1 << 62)])


FIRST_OF_TWO = {
    "counters": (
        [
            "DELETE FROM counters WHERE (business_id, kind) = (100, 1)",
            "INSERT INTO counters (business_id, entity_id, kind, value, version) VALUES (100, 1, 1, 7, 1)",
        ],
        "SELECT entity_id FROM counters WHERE (business_id, entity_id) = (100, 1)",
        """INSERT INTO counters (business_id, entity_id, kind, value, version)
           SELECT 100, max(entity_id), 1, 0, 0 FROM reactions WHERE (business_id, state) = (100, 1)""",
        _repair_counters,
    ),
    "heads": (
        [
            "UPDATE notification_heads SET moment = 0",
            "DELETE FROM notification_heads WHERE user_id = (SELECT max(user_id) FROM notifications)",
        ],
        "SELECT user_id FROM notification_heads WHERE user_id = (SELECT min(user_id) FROM notifications)",
        """INSERT INTO notification_heads (user_id, moment, prev_moment, read_moment)
           SELECT max(user_id), 0, 0, 0 FROM notifications""",
        _repair_heads,
    ),
    "pairs": (
        [],
        "SELECT lo FROM follows WHERE (lo, hi) = (SELECT lo, hi FROM follows ORDER BY lo, hi LIMIT 1)",
        """INSERT INTO follows (lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment)
           VALUES (1::bigint << 61, 1::bigint << 62, false, false, 0, 0, 0)""",
        _repair_pairs,
    ),
}
"""Statements that break two rows and delete the later, a lock on the earlier, and a worker's write of the later."""


@one_order
@pytest.mark.parametrize("kind", FIRST_OF_TWO)
@standalone
async def test_a_repair_that_waits_for_a_lock_does_not_hold_a_later_missing_row(system: System, kind: str) -> None:
    """Otherwise it would deadlock with a worker that holds the earlier row and needs the later one."""
    breaking, earlier, later, repair = FIRST_OF_TWO[kind]
    await populate(system)
    await execute(system, *breaking)

    async with locked(system, earlier):
        repairing = asyncio.create_task(repair(system))
        await waiting_for_locks(system, 1)
        await execute(system, "SET LOCAL lock_timeout = '1s'", later)
    await repairing

    assert await drift(system, *ROWS, "notifications") == {}


@standalone
async def test_a_repair_that_a_deadlock_has_ended_is_repeated(system: System) -> None:
    await populate(system)
    await execute(system, TWO_WRONG)
    locking = "SELECT entity_id FROM counters WHERE (business_id, entity_id) = (100, %d)"

    with suppress(PostgresDown):  # on a stalled machine, Postgres may end this transaction and not the repair
        async with locked(system, locking % 2) as transaction:
            repairing = asyncio.create_task(drift(system, "counters", repair=True))
            await waiting_for_locks(system, 1)
            await transaction.execute(text(f"{locking % 1} FOR UPDATE"))
    assert await repairing == {"likes": 2}

    assert await drift(system, "counters") == {}
