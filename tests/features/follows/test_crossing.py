"""Two people change what they are to each other, through two workers that commit at the same moment."""

import asyncio
import random
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from projections.events import Followed, parse
from settings import Settings
from store.write_log.journal import Entry
from store.write_log.partitions import Fenced
from tests.support.concurrent_follows import CASES, Batch, Crossing, locked, paused_before_commit, waiting_for_locks
from tests.support.journal_entries import Someone
from tests.support.stores import standalone
from tests.support.system import LIMITLESS, System, running
from workers.publish import publish

TABLES = ("follows", "following", "followers", "follow_log", "counters")


async def stored(system: System) -> list[list[tuple[Any, ...]]]:
    """All that workers write about follows, whoever owns the partitions."""
    tables = [sorted(await system.rows(f"SELECT * FROM {table}"), key=str) for table in TABLES]  # noqa: S608
    return [*tables, await system.rows("SELECT p, head FROM partitions ORDER BY p")]


async def test_all_crossings_agree_when_both_workers_commit_at_the_same_moment(system: System) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()

    await crossing.handle(await crossing.read_batches())

    await crossing.settle()
    await crossing.check()
    assert {len((await system.state.pending.get(one.user_id)).histories) for one in crossing.people} == {0}


@standalone
async def test_all_crossings_agree_when_the_later_is_published_before_the_earlier_is_stored(system: System) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()

    for worker in reversed(crossing.workers):
        assert await worker.step() > 0
        await crossing.warm_cache()

    await crossing.settle()
    await crossing.check()


@standalone
@pytest.mark.parametrize(("holder", "dies"), [(1, False), (0, True)])
async def test_all_crossings_agree_when_one_waits_for_the_others_pairs(
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
async def test_crossings_that_are_delivered_again_and_again_change_nothing(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(journal_tail_seconds=60.0)) as system:
        crossing = await Crossing.of(system, len(CASES))
        await crossing.cross()
        late = await crossing.read_batches()
        await crossing.handle(late)
        await crossing.settle()
        before = await stored(system)

        for _ in range(2):
            await crossing.replace_workers()
            again = await crossing.read_batches()
            assert sum(len(entries) for _, entries in again) == sum(crossing.acknowledged.changes.values())
            await asyncio.gather(
                crossing.handle(again),
                *[publish(system.state, [parse(entry) for entry in entries], set()) for _, entries in late],
            )

        assert await stored(system) == before
        await crossing.check()


@standalone
async def test_workers_that_wake_after_a_takeover_take_no_part_in_a_crossing(system: System) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()
    zombies, stale = crossing.workers, await crossing.read_batches()
    await crossing.replace_workers()

    *ends, _ = await asyncio.gather(
        *[zombie.handle(*batch) for zombie, batch in zip(zombies, stale, strict=True)],
        crossing.handle(await crossing.read_batches()),
        return_exceptions=True,
    )

    assert [type(end) for end in ends] == [Fenced, Fenced]
    await crossing.settle()
    await crossing.check()


async def minds_change(crossing: Crossing, asked: list[tuple[Someone, Someone]], chance: random.Random) -> None:
    """Each follows or unfollows, whichever they did not do last, in any order."""
    for who, whom in chance.sample(asked, len(asked)):
        follows = (who.person.handle, whom.person.handle) in crossing.acknowledged.follows
        await crossing.change("unfollow" if follows else "follow", who, whom)


def parse_follow(entry: Entry) -> Followed:
    event = parse(entry)
    assert isinstance(event, Followed)
    return event


async def both_get_past(crossing: Crossing, batches: list[Batch], rows: str, **parameters: object) -> None:
    """One worker comes as far as these rows, the other as far as it can; a circle would end one of them."""
    handling: list[asyncio.Task[None]] = []
    async with locked(crossing.system, rows, **parameters):
        for worker, batch in zip(crossing.workers, batches, strict=True):
            handling.append(asyncio.create_task(worker.handle(*batch)))
            await waiting_for_locks(crossing.system, len(handling))
    await asyncio.gather(*handling)


@standalone
async def test_two_workers_full_of_the_same_pairs_never_wait_for_each_other_in_a_circle(system: System) -> None:
    crossing, chance = await Crossing.of(system, 6), random.Random(6)
    asked = [one for pair in product(*zip(*crossing.pairs, strict=True)) for one in (pair, pair[::-1])]
    await minds_change(crossing, asked, chance)
    await crossing.settle()

    for which in (0, 12, 24):
        await minds_change(crossing, asked, chance)
        batches = await crossing.read_batches()
        lo, hi = parse_follow(batches[0][1][which]).pair
        await both_get_past(crossing, batches, "SELECT 1 FROM follows WHERE lo = :lo AND hi = :hi", lo=lo, hi=hi)
        await crossing.settle()
    await crossing.check()


@standalone
async def test_two_workers_full_of_the_same_followees_never_wait_for_each_other_in_a_circle(system: System) -> None:
    crossing, chance = await Crossing.of(system, 10), random.Random(10)
    (one, other), (another, yet_another), *rest = crossing.pairs
    some, others = zip(*rest, strict=True)
    # The one side comes to some of them first, the other side to the others.
    asked = [*product((one, yet_another), some), *product((other, another), others)]
    await minds_change(crossing, asked, chance)
    await crossing.settle()
    await minds_change(crossing, asked, chance)

    middle = some[len(some) // 2].user_id
    batches = await crossing.read_batches()
    await both_get_past(crossing, batches, "SELECT 1 FROM counters WHERE entity_id = :middle", middle=middle)

    await crossing.settle()
    await crossing.check()


@standalone
@pytest.mark.prove
@pytest.mark.timeout(600)
async def test_any_number_of_crossing_pairs_adds_up_round_after_round(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(batch_entries=2000, limits=LIMITLESS)) as system:
        crossing, chance = await Crossing.of(system, 16), random.Random(16)
        asked = [one for pair in product(*zip(*crossing.pairs, strict=True)) for one in (pair, pair[::-1])]
        for _ in range(6):
            await minds_change(crossing, chance.sample(asked, len(asked) // 2), chance)
            await crossing.handle(await crossing.read_batches())
            await crossing.settle()
            await crossing.warm_cache()
        await crossing.check()
