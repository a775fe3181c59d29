"""Random charges of several processes: budgets agree with a small arithmetic model."""

import asyncio
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.budgets.budgets import LIFE_S
from store.budgets.charges import Exhausted, Payer
from tests.store.budgets.budget_processes import Process, ProcessGroup, fresh

pytestmark = pytest.mark.parametrize("redis_mode", ["standalone"])

CAPACITY, RATE = 1000, 1.0
SLOW = Payer("user", "", CAPACITY, 0.001)
STEADY = Payer("user", "", CAPACITY, RATE)
COSTS = st.one_of(st.integers(1, 20), st.integers(1, CAPACITY))
NUMBERS = itertools.count()

Play = Callable[[Callable[[ProcessGroup], Any]], None]


@pytest.fixture
def play(redis_url: str, redis_mode: str) -> Iterator[Play]:
    """Runs one example with a group of processes."""
    with asyncio.Runner(loop_factory=asyncio.new_event_loop) as runner:

        def run(example: Callable[[ProcessGroup], Any]) -> None:
            async def with_group() -> None:
                group = ProcessGroup(redis_url, redis_mode)
                await example(group)
                await group.close()

            runner.run(with_group())

        yield run


async def granted(process: Process, payer: Payer, cost: int) -> bool:
    try:
        await process.spend([payer], cost)
    except Exhausted:
        return False
    return True


def test_one_process_grants_exactly_the_points_of_the_budget(play: Play) -> None:
    @settings(max_examples=150, deadline=None)
    @given(st.lists(st.lists(COSTS, min_size=1, max_size=6), max_size=40))
    def check(rounds: list[list[int]]) -> None:
        async def example(group: ProcessGroup) -> None:
            process, payer, left = group.process(), fresh(SLOW, next(NUMBERS)), CAPACITY
            for costs in rounds:
                answers = await asyncio.gather(*[granted(process, payer, cost) for cost in costs])
                for cost, answer in zip(costs, answers, strict=True):
                    assert answer == (cost <= left)
                    left -= cost if answer else 0

        play(example)

    check()


STEPS = st.lists(
    st.one_of(st.tuples(st.integers(0, 2), COSTS), st.tuples(st.none(), st.integers(1, 400))),
    max_size=60,
)


def test_three_processes_never_grant_more_than_promised_and_all_points_return(play: Play) -> None:
    @settings(max_examples=150, deadline=None)
    @given(STEPS)
    def check(steps: list[tuple[int | None, int]]) -> None:
        async def example(group: ProcessGroup) -> None:
            processes, payer = [group.process() for _ in range(3)], fresh(STEADY, next(NUMBERS))
            began, real = group.now, asyncio.get_running_loop().time()
            grants: list[tuple[float, int]] = []
            for who, number in steps:
                if who is None:
                    await group.passes(number / 4, payer)
                elif await granted(processes[who], payer, number):
                    grants.append((group.now, number))

            slack = RATE * (asyncio.get_running_loop().time() - real)  # the clocks of the stores advanced too
            assert sum(cost for _, cost in grants) <= CAPACITY + RATE * (group.now - began) + slack
            for start, _ in grants:
                within = [(at, cost) for at, cost in grants if at >= start]
                for end, _ in within:
                    spent = sum(cost for at, cost in within if at <= end)
                    assert spent <= CAPACITY + RATE * (end - start + LIFE_S) + slack

            await group.passes(CAPACITY / RATE, payer)
            assert await granted(processes[0], payer, CAPACITY)

        play(example)

    check()
