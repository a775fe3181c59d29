"""Ownership of partitions changes when a worker dies, leaves or only seems dead."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import text

import workers.persist
import workers.worker
from projections.apply import apply
from settings import Settings
from store.postgres.client import PostgresDown
from store.write_log.journal import Entry
from store.write_log.partition_leases import Fenced
from tests.support.journal_entries import count_seen, neighbours, someone, states
from tests.support.stores import standalone
from tests.support.system import System, running
from tests.support.workers import ready, unhandled_batch, until
from workers.ownership import Ownership
from workers.persist import persist
from workers.worker import Worker

WAITING = """
    SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%UPDATE partitions%'
"""


async def expire(system: System) -> None:
    """Lets the leases of a silent worker expire."""
    await system.rows("UPDATE partitions SET lease_until = now() - interval '1 second' RETURNING p")
    await system.rows("DELETE FROM workers RETURNING worker")


@standalone
async def test_a_worker_that_seemed_dead_commits_nothing_after_a_takeover(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = await someone(system, "alice")
    zombie = await ready(system)
    await alice.person.like(video)
    owned, entries = await unhandled_batch(zombie)
    await expire(system)
    heir = await ready(system)
    await heir.step()
    counters = await system.stored("counters")

    with pytest.raises(Fenced):
        await zombie.handle(owned, entries)

    assert await system.stored("counters") == counters
    assert await system.rows("SELECT count(*) FROM like_log") == [(1,)]
    await zombie.step()
    await heir.ownership.renew()
    assert set(heir.owned) == set(range(system.settings.partitions))  # the old worker did not take them back


@standalone
async def test_leases_from_a_clock_that_was_set_back_keep_no_partition(system: System) -> None:
    await ready(system)
    for lease in ("partitions SET lease_until", "workers SET seen_until"):
        await system.rows(f"UPDATE {lease} = now() + interval '100 days' RETURNING 1")
    heir = await ready(system)

    await heir.ownership.renew()

    assert set(heir.owned) == set(range(system.settings.partitions))


@standalone
async def test_a_worker_that_hangs_in_its_transaction_does_not_keep_its_partitions(
    make_settings: Callable[..., Settings], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running(make_settings(database_timeout=1.5)) as system:
        (video,) = await system.videos("v1", owner="owen")
        alice = await someone(system, "alice")
        zombie = await ready(system)
        await alice.person.like(video)
        hanging, awake = asyncio.Event(), asyncio.Event()

        async def hang(*args: Any) -> Any:
            hanging.set()
            await awake.wait()
            return await apply(*args)

        with monkeypatch.context() as hung:
            hung.setattr(workers.persist, "apply", hang)
            batch = asyncio.create_task(zombie.step())
            await hanging.wait()
        await expire_unlocked(system)

        heir = await ready(system)
        async with asyncio.timeout(30):
            while alice.partition not in heir.owned:
                await heir.ownership.renew()
        await heir.step()
        awake.set()
        with pytest.raises((PostgresDown, Fenced)):
            await batch

        assert await states(system) == {alice.user_id: 1}
        assert await system.rows("SELECT value FROM counters WHERE kind IN (1, 5)") == [(1,), (1,)]
        assert await system.rows("SELECT count(*) FROM like_log") == [(1,)]


async def expire_unlocked(system: System) -> None:
    """Calls `expire` repeatedly while a transaction still locks some of the rows."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await expire(system)
            except PostgresDown:
                continue


@standalone
async def test_a_partition_can_be_claimed_although_its_row_is_always_locked(system: System) -> None:
    """Direct writes hold the row lock of their partition one after the other."""
    hurried, patient = (Ownership(system.state.postgres, name, lease) for name, lease in (("a", 0.1), ("b", 60)))
    others = set(range(1, system.settings.partitions))
    async with system.state.postgres.transaction() as writing:
        await writing.execute(text("UPDATE partitions SET direct = direct WHERE p = 0"))
        await hurried.renew()
        assert hurried.partitions.keys() == others
        await hurried.leave()

        renewing = asyncio.create_task(patient.renew())
        await until(lambda: system.rows(WAITING))
        assert patient.partitions.keys() == others
    await renewing
    assert patient.partitions.keys() == others | {0}


@standalone
async def test_the_next_owner_stores_entries_that_a_worker_had_only_read(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = await someone(system, "alice")
    dead = await ready(system)
    await alice.person.like(video)
    await unhandled_batch(dead)
    await expire(system)

    await (await ready(system)).step()

    assert await states(system) == {alice.user_id: 1}


@standalone
async def test_the_next_owner_publishes_entries_that_a_worker_had_only_stored(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice, bob = await someone(system, "alice"), system.person("bob")
    assert await count_seen(bob, video) == 0  # fills the cache
    dead = await ready(system)
    await alice.person.like(video)
    owned, entries = await unhandled_batch(dead)
    await stored_only(dead, owned, entries)
    assert await count_seen(bob, video) == 0
    await expire(system)

    heir = await ready(system)
    await heir.step()

    assert await count_seen(bob, video) == 1
    assert await system.rows("SELECT count(*), max(value) FROM counters WHERE kind = 1") == [(1, 1)]
    await heir.sweeper.sweep(float("inf"))
    assert (await system.state.pending.get(alice.user_id)).histories == {}
    assert await count_seen(alice.person, video) == 1


async def stored_only(worker: Worker, owned: Any, entries: Sequence[Entry]) -> None:
    """Handles a batch up to its commit, as a worker does that dies then."""
    await persist(worker.state, owned, entries)


@standalone
async def test_an_old_batch_after_a_newer_one_changes_nothing(system: System) -> None:
    """The head stops the batch. Without the head, the version of its rows would."""
    (video,) = await system.videos("v1", owner="owen")
    alice = await someone(system, "alice")
    worker = await ready(system)
    await alice.person.like(video)
    owned, stale = await unhandled_batch(worker)
    await worker.handle(owned, stale)
    await alice.person.unlike(video)
    await worker.step()
    rows = await system.stored("reactions")
    await system.rows("UPDATE partitions SET head = 0 RETURNING p")
    owned[alice.partition].head = 0

    await worker.handle(owned, stale)

    assert await system.stored("reactions") == rows
    assert await system.rows("SELECT value FROM counters WHERE kind IN (1, 5)") == [(0,), (0,)]
    assert await count_seen(system.person(None), video) == 0


@standalone
async def test_workers_share_the_partitions_and_a_leaving_worker_gives_its_own_to_the_others(system: System) -> None:
    first = await ready(system)
    assert len(first.owned) == system.settings.partitions
    second = await ready(system)
    await first.ownership.renew()
    await second.ownership.renew()

    assert sorted([*first.owned, *second.owned]) == list(range(system.settings.partitions))
    assert len(first.owned) == len(second.owned)
    await first.ownership.leave()
    await second.ownership.renew()
    assert len(second.owned) == system.settings.partitions


@standalone
async def test_an_entry_is_stored_once_although_its_partition_changes_owners_often(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    people = await neighbours(system, 3)
    workers = [await ready(system) for _ in range(3)]
    for number in range(30):
        one = people[number % 3].person
        await (one.unlike(video) if number // 3 % 2 else one.like(video))
        worker = workers[number % 3]
        if number % 4 == 0:
            await expire(system)
        await worker.ownership.renew()
        try:
            await worker.step()
        except Fenced:
            continue
    await expire(system)

    await system.drain()

    assert await system.rows("SELECT count(*), count(DISTINCT (user_id, version)) FROM like_log") == [(30, 30)]
    assert await system.rows("SELECT value FROM counters WHERE kind IN (1, 5)") == [(0,), (0,)]
    assert set((await states(system)).values()) == {0}


async def test_a_stopping_worker_finishes_its_batch_and_frees_its_partitions(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    (video,) = await system.videos("v1")
    alice = await someone(system, "alice")
    await alice.person.like(video)
    worker, stop = system.worker(), asyncio.Event()

    async def stopped_meanwhile(state: Any, owned: Any, entries: Sequence[Entry]) -> Any:
        if entries:
            stop.set()
            await asyncio.sleep(0)
        return await persist(state, owned, entries)

    monkeypatch.setattr(workers.worker, "persist", stopped_meanwhile)

    await worker.run(stop)

    assert await states(system) == {alice.user_id: 1}
    assert await system.rows("SELECT DISTINCT owner FROM partitions") == [(None,)]
    assert await system.rows("SELECT count(*) FROM workers") == [(0,)]
    assert await system.rows("SELECT count(*) FROM partitions WHERE lease_until < now()") == [
        (system.settings.partitions,)
    ]
