"""The sweep removes settled changes from pending sets, and trims the journal."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import store.write_log.pending
from models.counters import EntityRef
from models.likes import REACT
from settings import Settings
from store.write_log.pending import PendingHistory
from tests.support.follows import follow
from tests.support.journal_entries import Someone, count_seen, neighbours, ref_of, someone
from tests.support.stores import standalone
from tests.support.system import System, running
from tests.support.workers import ready
from workers.worker import Worker

TAIL = 60.0


async def journal_of(system: System, one: Someone) -> int:
    """Returns the number of entries in the partition's journal."""
    return (await system.state.journals.lengths([one.partition]))[0]


async def pending_of(system: System, one: Someone, ref: EntityRef) -> PendingHistory | None:
    return (await system.state.pending.get(one.user_id)).histories.get((REACT, ref))


def settled(system: System) -> float:
    """Returns a time at which all changes published so far have settled."""
    return time.monotonic() + system.settings.pending_seconds


async def test_a_published_change_stays_pending_until_it_has_settled(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ref = await someone(system, "alice"), await ref_of(system, video)
    await alice.person.like(video)
    worker = await ready(system)
    await worker.step()

    assert await pending_of(system, alice, ref) is not None
    await worker.sweeper.sweep(settled(system) - 1)
    assert await pending_of(system, alice, ref) is not None
    await worker.sweeper.sweep(settled(system))
    assert await pending_of(system, alice, ref) is None
    assert await count_seen(alice.person, video) == 1


async def test_the_sweep_keeps_newer_changes_of_the_same_target(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ref = await someone(system, "alice"), await ref_of(system, video)
    await alice.person.like(video)
    worker = await ready(system)
    await worker.step()
    await alice.person.react("dislike", video)

    await worker.sweeper.sweep(settled(system))

    left = await pending_of(system, alice, ref)
    assert left is not None
    assert left.seen_at(0) == 1
    assert left.latest == 2
    assert await count_seen(alice.person, video) == 0
    await worker.step()
    await worker.sweeper.sweep(settled(system))
    assert await pending_of(system, alice, ref) is None
    assert await count_seen(alice.person, video) == 0


@standalone
async def test_the_sweep_removes_everything_although_the_target_has_changed_its_owner(system: System) -> None:
    (video,) = await system.videos("v1", owner="owen")
    alice = await someone(system, "alice")
    await alice.person.like(video)
    await system.videos("v1", owner="olga")
    await alice.person.unlike(video)

    await system.drain()

    assert await nothing_pending(system)


@standalone
async def test_the_sweep_removes_follows(system: System) -> None:
    alice, bob = await someone(system, "alice"), await someone(system, "bob")
    await follow(alice.person, await bob.person.id())
    assert len((await system.state.pending.get_of(alice.user_id, "follow")).histories) == 1

    await system.drain()

    assert await nothing_pending(system)


@standalone
async def test_the_journal_keeps_entries_whose_changes_are_pending(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, bob = await neighbours(system, 2)
    worker = await ready(system)
    await alice.person.like(video)
    await worker.step()
    await bob.person.like(video)

    await worker.sweeper.trim(list(worker.owned.values()))
    assert await journal_of(system, alice) == 2
    await worker.sweeper.sweep(settled(system))
    await worker.sweeper.trim(list(worker.owned.values()))
    assert await journal_of(system, alice) == 1  # the unread entry
    await worker.step()
    await worker.sweeper.trim(list(worker.owned.values()))
    assert await journal_of(system, alice) == 1  # the same entry, whose change is pending now
    await worker.sweeper.sweep(settled(system))
    await worker.sweeper.trim(list(worker.owned.values()))
    assert await journal_of(system, alice) == 0


@standalone
async def test_the_tail_of_a_journal_is_kept_for_the_configured_time(make_settings: Callable[..., Settings]) -> None:
    async with running(make_settings(journal_tail_seconds=TAIL)) as system:
        (video,) = await system.videos("v1")
        alice = await someone(system, "alice")
        await alice.person.like(video)
        worker = await ready(system)
        await worker.step()
        await worker.sweeper.sweep(settled(system))
        owned = list(worker.owned.values())

        await worker.sweeper.trim(owned)
        assert await journal_of(system, alice) == 1
        await later(worker, TAIL - 1).sweeper.trim(owned)
        assert await journal_of(system, alice) == 1
        await later(worker, TAIL + 1).sweeper.trim(owned)
        assert await journal_of(system, alice) == 0


def later(worker: Worker, seconds: float) -> Worker:
    """Returns a worker whose clock is ahead."""
    now_ms = worker.state.now_ms
    return Worker(replace(worker.state, now_ms=lambda: now_ms() + int(seconds * 1000)), "later")


@standalone
async def test_the_next_owner_sweeps_after_a_worker_died(system: System) -> None:
    (video,) = await system.videos("v1")
    alice, ref = await someone(system, "alice"), await ref_of(system, video)
    await alice.person.like(video)
    await (await ready(system)).step()
    await system.rows("UPDATE partitions SET lease_until = '-infinity' RETURNING p")
    await system.rows("DELETE FROM workers RETURNING worker")

    heir = await ready(system)
    await heir.step()
    await heir.sweeper.sweep(settled(system))
    await heir.sweeper.trim(list(heir.owned.values()))

    assert await pending_of(system, alice, ref) is None
    assert await journal_of(system, alice) == 0


@standalone
async def test_new_entries_follow_trimmed_ones(system: System) -> None:
    (video,) = await system.videos("v1")
    alice = await someone(system, "alice")
    for verb in ("like", "unlike", "dislike", "undislike", "like"):
        await alice.person.react(verb, video)
        await system.drain()
        assert await journal_of(system, alice) == 0

    versions = await system.rows("SELECT version FROM like_log ORDER BY version")
    assert len(versions) == 5
    assert await system.rows("SELECT version FROM reactions") == [versions[-1]]


@standalone
@pytest.mark.parametrize("pages", [1, 3])
async def test_many_settled_changes_are_all_swept(system: System, pages: int) -> None:
    videos = await system.videos(*[f"v{number}" for number in range(20 * pages)])
    alice, bob = await neighbours(system, 2)
    for video in videos:
        await alice.person.like(video)
        await bob.person.like(video)

    await system.drain()

    assert await nothing_pending(system)
    assert await count_seen(alice.person, videos[-1]) == 2


@standalone
async def test_many_changes_of_one_person_are_swept_in_parts(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store.write_log.pending, "_AT_ONCE", 3)
    videos = await system.videos(*[f"v{number}" for number in range(10)])
    alice = await someone(system, "alice")
    for video in videos:
        await alice.person.like(video)
    await alice.person.unlike(videos[0])
    worker = await ready(system)
    await worker.step()
    await alice.person.react("dislike", videos[1])

    await worker.sweeper.sweep(settled(system))

    pending = await system.state.pending.get(alice.user_id)
    assert list(pending.histories) == [(REACT, await ref_of(system, videos[1]))]


async def nothing_pending(system: System) -> Any:
    return [key async for key in system.state.redis.client.scan_iter("*:pending:*")] == []
