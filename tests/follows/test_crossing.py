"""Two people change what they are to each other, through two workers that commit at the same moment."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from settings import Settings
from tests.conftest import standalone
from tests.follows.crossing import CASES, Crossing, held_before_the_end, somebody_waits_for_a_lock
from tests.system import System, running
from workers.events import parse
from workers.partitions import Fenced
from workers.publish import publish

TABLES = ("follows", "following", "followers", "follow_log", "counters")


async def stored(system: System) -> list[list[tuple[Any, ...]]]:
    """All that workers write about follows, whoever owns the partitions."""
    tables = [sorted(await system.rows(f"SELECT * FROM {table}"), key=str) for table in TABLES]  # noqa: S608
    return [*tables, await system.rows("SELECT p, head FROM partitions ORDER BY p")]


async def test_all_crossings_agree_when_both_workers_commit_at_the_same_moment(system: System) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()

    await crossing.handle(await crossing.in_hand())

    await crossing.settle()
    await crossing.check()
    assert {len((await system.state.pending.get(one.user_id)).histories) for one in crossing.people} == {0}


@standalone
async def test_all_crossings_agree_when_the_later_is_published_before_the_earlier_is_stored(system: System) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()

    for worker in reversed(crossing.workers):
        assert await worker.step() > 0
        await crossing.look()

    await crossing.settle()
    await crossing.check()


@standalone
@pytest.mark.parametrize(("holder", "dies"), [(1, False), (0, True)])
async def test_all_crossings_agree_when_one_waits_for_the_others_pairs(
    system: System, monkeypatch: pytest.MonkeyPatch, holder: int, dies: bool
) -> None:
    crossing = await Crossing.of(system, len(CASES))
    await crossing.cross()
    batches = await crossing.in_hand()

    async with held_before_the_end(monkeypatch, crossing.workers[holder], batches[holder], dies=dies):
        waiting = asyncio.create_task(crossing.workers[1 - holder].handle(*batches[1 - holder]))
        await somebody_waits_for_a_lock(system)
        assert not waiting.done()
    await waiting

    if dies:
        await crossing.hand_over()
    await crossing.settle()
    await crossing.check()


@standalone
async def test_crossings_that_are_delivered_again_and_again_change_nothing(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(tail=60.0)) as system:
        crossing = await Crossing.of(system, len(CASES))
        await crossing.cross()
        late = await crossing.in_hand()
        await crossing.handle(late)
        await crossing.settle()
        before = await stored(system)

        for _ in range(2):
            await crossing.hand_over()
            again = await crossing.in_hand()
            assert sum(len(entries) for _, entries in again) == sum(crossing.told.changes.values())
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
    zombies, stale = crossing.workers, await crossing.in_hand()
    await crossing.hand_over()

    *ends, _ = await asyncio.gather(
        *[zombie.handle(*batch) for zombie, batch in zip(zombies, stale, strict=True)],
        crossing.handle(await crossing.in_hand()),
        return_exceptions=True,
    )

    assert [type(end) for end in ends] == [Fenced, Fenced]
    await crossing.settle()
    await crossing.check()


async def everybody_crosses(system: System, many: int, rounds: int) -> None:
    """All of one side with all of the other, both batches full of the same pairs in different orders."""
    crossing, chance = await Crossing.of(system, many), random.Random(many)
    sides = [one for one, _ in crossing.pairs], [other for _, other in crossing.pairs]
    for number in range(rounds):
        asked = [(who, whom) for a in sides[0] for b in sides[1] for who, whom in ((a, b), (b, a))]
        chance.shuffle(asked)
        for who, whom in asked:
            await crossing.change("follow" if number == 0 else chance.choice(["follow", "unfollow"]), who, whom)
        await crossing.handle(await crossing.in_hand())  # a circle of waiters would end one of the two
        await crossing.settle()
        await crossing.look()
    await crossing.check()


@standalone
async def test_two_workers_full_of_crossing_pairs_never_wait_for_each_other_in_a_circle(system: System) -> None:
    await everybody_crosses(system, many=6, rounds=2)


@standalone
@pytest.mark.prove
@pytest.mark.timeout(600)
async def test_two_workers_with_hundreds_of_crossing_pairs_never_wait_in_a_circle(
    make_settings: Callable[..., Settings],
) -> None:
    async with running(make_settings(batch_entries=2000)) as system:
        await everybody_crosses(system, many=16, rounds=6)
