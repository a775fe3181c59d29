"""Pairs of users follow and unfollow each other, through two workers that commit concurrently."""

import asyncio
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from projections.entries.follows import Followed
from projections.registry import events_of
from settings import Settings
from store.write_log.journal import Entry
from store.write_log.partition_leases import Fenced
from tests.support.concurrent_follows import CASES, Batch, Crossing, paused_before_commit
from tests.support.journal_entries import Someone
from tests.support.locks import locked, waiting_for_locks
from tests.support.stores import standalone
from tests.support.system import LIMITLESS, System, running
from workers.persist import parsed
from workers.publish import publish

TABLES = ("follows", "following", "followers", "follow_log", "counters")


async def stored_rows(system: System) -> list[list[tuple[Any, ...]]]:
    """Returns all rows about follows, and the heads of the partitions."""
    tables = [await system.stored(table) for table in TABLES]
    return [*tables, await system.rows("SELECT p, head FROM partitions ORDER BY p")]


async def test_crossing_follows_are_stored_exactly_if_both_workers_commit_concurrently(system: System) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()

    await crossing.handle(await crossing.read_batches())

    await crossing.settle()
    await crossing.check()
    assert {len((await system.state.pending.get_of(one.user_id, "follow")).histories) for one in crossing.people} == {0}


@standalone
async def test_crossing_follows_are_stored_exactly_if_the_later_worker_publishes_first(system: System) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()

    for worker in reversed(crossing.workers):
        assert await worker.step() > 0
        await crossing.warm_cache()

    await crossing.settle()
    await crossing.check()


@standalone
@pytest.mark.parametrize(("holder", "dies"), [(1, False), (0, True)])
async def test_crossing_follows_are_stored_exactly_if_one_worker_waits_for_the_locks_of_the_other(
    system: System, monkeypatch: pytest.MonkeyPatch, holder: int, dies: bool
) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()
    batches = await crossing.read_batches()

    async with paused_before_commit(monkeypatch, crossing.workers[holder], batches[holder], dies=dies):
        waiting = asyncio.create_task(crossing.workers[1 - holder].handle(*batches[1 - holder]))
        await waiting_for_locks(system, 1)
        assert not waiting.done()
    await waiting

    if dies:
        await crossing.replace_workers()
    await crossing.settle()
    await crossing.check()


@standalone
async def test_repeated_batches_of_crossing_follows_change_nothing(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(journal_tail_seconds=60.0)) as system:
        crossing = await Crossing.of(system, len(CASES))
        await crossing.cross()
        late = await crossing.read_batches()
        await crossing.handle(late)
        await crossing.settle()
        before = await stored_rows(system)

        for _ in range(2):
            await crossing.replace_workers()
            again = await crossing.read_batches()
            assert sum(len(entries) for _, entries in again) == sum(crossing.acknowledged.changes.values())
            await asyncio.gather(
                crossing.handle(again),
                *[publish(system.state, parsed(entries)[0], set()) for _, entries in late],
            )

        assert await stored_rows(system) == before
        await crossing.check()


@standalone
async def test_workers_that_resume_after_a_takeover_are_fenced(system: System) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()
    old_workers, old_batches = crossing.workers, await crossing.read_batches()
    await crossing.replace_workers()

    *ends, _ = await asyncio.gather(
        *[old_worker.handle(*batch) for old_worker, batch in zip(old_workers, old_batches, strict=True)],
        crossing.handle(await crossing.read_batches()),
        return_exceptions=True,
    )

    assert [type(end) for end in ends] == [Fenced, Fenced]
    await crossing.settle()
    await crossing.check()


async def toggle(crossing: Crossing, directions: list[tuple[Someone, Someone]], chance: random.Random) -> None:
    """Turns every follow into an unfollow and the other way round, in random order."""
    for follower, followee in chance.sample(directions, len(directions)):
        follows = (follower.person.handle, followee.person.handle) in crossing.acknowledged.follows
        await crossing.change("unfollow" if follows else "follow", follower, followee)


def parse_follow(entry: Entry) -> Followed:
    (event,) = events_of(entry)
    assert isinstance(event, Followed)
    return event


async def handle_with_locked_rows(crossing: Crossing, batches: list[Batch], rows: str, **parameters: object) -> None:
    """Handles both batches while these rows are locked at first. A deadlock of the workers would raise an error."""
    handling: list[asyncio.Task[None]] = []
    async with locked(crossing.system, rows, **parameters):
        for worker, batch in zip(crossing.workers, batches, strict=True):
            handling.append(asyncio.create_task(worker.handle(*batch)))
            await waiting_for_locks(crossing.system, len(handling))
    await asyncio.gather(*handling)


@standalone
async def test_two_workers_with_batches_of_the_same_pairs_never_deadlock(system: System) -> None:
    crossing, chance = await Crossing.of(system, 6), random.Random(6)
    directions = [one for pair in product(*zip(*crossing.pairs, strict=True)) for one in (pair, pair[::-1])]
    await toggle(crossing, directions, chance)
    await crossing.settle()

    for at in (0, 12, 24):
        await toggle(crossing, directions, chance)
        batches = await crossing.read_batches()
        lo, hi = parse_follow(batches[0][1][at]).pair
        await handle_with_locked_rows(
            crossing, batches, "SELECT 1 FROM follows WHERE lo = :lo AND hi = :hi", lo=lo, hi=hi
        )
        await crossing.settle()
    await crossing.check()


@standalone
async def test_two_workers_with_batches_of_the_same_followees_never_deadlock(system: System) -> None:
    crossing, chance = await Crossing.of(system, 10), random.Random(10)
    (a, b), (c, d), *rest = crossing.pairs
    left, right = zip(*rest, strict=True)
    # The workers come to the two halves of the followees in different orders.
    directions = [*product((a, d), left), *product((b, c), right)]
    await toggle(crossing, directions, chance)
    await crossing.settle()
    await toggle(crossing, directions, chance)

    middle = left[len(left) // 2].user_id
    batches = await crossing.read_batches()
    await handle_with_locked_rows(crossing, batches, "SELECT 1 FROM counters WHERE entity_id = :middle", middle=middle)

    await crossing.settle()
    await crossing.check()


@standalone
@pytest.mark.prove
@pytest.mark.timeout(600)
async def test_crossing_follows_of_many_pairs_are_stored_exactly_over_many_rounds(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(batches={"entries": 2000}, limits=LIMITLESS)) as system:
        crossing, chance = await Crossing.of(system, 16), random.Random(16)
        directions = [one for pair in product(*zip(*crossing.pairs, strict=True)) for one in (pair, pair[::-1])]
        for _ in range(6):
            await toggle(crossing, chance.sample(directions, len(directions) // 2), chance)
            await crossing.handle(await crossing.read_batches())
            await crossing.settle()
            await crossing.warm_cache()
        await crossing.check()
