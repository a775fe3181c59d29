"""Budgets: all points can be spent, and no more."""

import asyncio
import math
import random

import pytest
from redis.exceptions import ResponseError

from store.budgets.budgets import SLICES
from store.budgets.charges import Charge, Exhausted
from tests.store.budgets.budget_processes import ADDRESS, ALICE, ProcessGroup, fresh, name, outcomes, refusal, spent
from tests.support.metrics import metric
from tests.support.stores import standalone


def charges(outcome: str) -> float:
    """Returns the number of charges to budgets of users with this outcome."""
    return metric("budget_charges_total", budget="user", outcome=outcome)


async def test_a_full_budget_is_spent_to_the_last_point(group: ProcessGroup) -> None:
    process = group.process()

    assert await spent(lambda: process.spend([ALICE], 7)) == 1000 // 7
    assert (await process.spend([ALICE], 1000 % 7)).remaining == 0
    assert await spent(lambda: group.process().spend([ALICE], 1)) == 0


async def test_an_allowance_has_the_remaining_points_and_the_time_of_a_full_budget(group: ProcessGroup) -> None:
    process = group.process()
    clock_ms = await group.redis.clock_ms(name(ALICE))

    allowances = [await process.spend([ALICE], 10) for _ in range(30)]

    assert [(one.cost, one.limit, one.remaining) for one in allowances] == [
        (10, 1000, 1000 - 10 * n) for n in range(1, 31)
    ]
    lacking = ALICE.capacity - await group.bucket(ALICE)
    assert allowances[-1].reset_at_ms == pytest.approx(clock_ms + lacking / ALICE.rate * 1000, abs=10_000)
    assert allowances[-1].reset_at.timestamp() * 1000 == allowances[-1].reset_at_ms


async def test_an_allowance_names_the_payer_with_the_fewest_points_left(group: ProcessGroup) -> None:
    process = group.process()
    await process.spend([ADDRESS], 4500)

    allowances = await process.spend([ALICE, ADDRESS], 10)

    assert (allowances.limit, allowances.remaining) == (5000, 490)


async def test_concurrent_charges_are_granted_in_their_order_until_the_budget_is_empty(group: ProcessGroup) -> None:
    process = group.process()

    granted = await outcomes(*[process.spend([ALICE], 30) for _ in range(50)])

    assert granted == [True] * 33 + [False] * 17


async def test_a_small_charge_is_granted_after_a_large_one_was_refused(group: ProcessGroup) -> None:
    process = group.process()
    await group.process().spend([ALICE], 900)

    assert await outcomes(*[process.spend([ALICE], cost) for cost in (500, 60, 400, 40, 1)]) == [
        False,
        True,
        False,
        True,
        False,
    ]


async def test_concurrent_processes_never_spend_more_than_the_budget(group: ProcessGroup) -> None:
    dice = random.Random(7)
    processes = [group.process() for _ in range(8)]
    total = 0

    async def hammer(cost: int) -> None:
        nonlocal total
        process = dice.choice(processes)
        try:
            await process.spend([ALICE, ADDRESS], cost)
        except Exhausted:
            return
        total += cost
        await asyncio.sleep(0)

    for _ in range(5):
        await asyncio.gather(*[hammer(dice.randint(1, 30)) for _ in range(100)])

    reserved = len(processes) * (ALICE.capacity // SLICES)
    assert ALICE.capacity - reserved - 30 <= total <= ALICE.capacity
    assert await group.bucket(ALICE) < 30


async def test_refilled_points_can_be_spent_and_no_more(group: ProcessGroup) -> None:
    processes = [group.process() for _ in range(4)]
    total = 0
    for _ in range(20):
        for process in processes:
            total += 50 * await spent(lambda process=process: process.spend([ALICE], 50))  # type: ignore[misc]
        await group.passes(10_000, ALICE)  # refills 100 points

    assert 1000 + 19 * 100 - 4 * 50 <= total <= 1000 + 19 * 100


async def test_a_bucket_refills_to_its_capacity_and_its_key_expires_then(group: ProcessGroup) -> None:
    process = group.process()
    await process.spend([ALICE], 300)
    assert 29_900_000 < await group.redis("PTTL", name(ALICE)) <= 30_000_000

    await group.passes(30_001, ALICE)

    assert await group.redis("EXISTS", name(ALICE)) == 0
    assert (await process.spend([ALICE], 1000)).remaining == 0


async def test_a_clock_that_goes_back_refills_nothing_and_blocks_no_payer(group: ProcessGroup) -> None:
    """A clock goes back when another server takes over whose clock is an hour behind."""
    await group.process().spend([ALICE], 900)
    left, since = (await group.redis("GET", name(ALICE))).split()
    await group.redis("SET", name(ALICE), b"%s %d" % (left, int(since) + 3_600_000), "PX", 90_000_000, write=True)

    assert (await group.process().spend([ALICE], 10)).remaining == 90
    await group.passes(1000, ALICE)  # refills 10 points
    assert (await group.process().spend([ALICE], 1)).remaining == 99
    assert await spent(lambda: group.process().spend([ALICE], 99)) == 1


async def test_a_smaller_capacity_applies_at_once(group: ProcessGroup) -> None:
    await group.process().spend([ALICE], 100)

    assert (await group.process().spend([fresh(ALICE, 1, capacity=500)], 1)).remaining == 499


async def test_cancelled_requests_cost_nothing(group: ProcessGroup) -> None:
    process = group.process()
    requests = [asyncio.ensure_future(process.spend([ALICE, ADDRESS], 10)) for _ in range(20)]
    await asyncio.sleep(0)  # all requests are sent, and none is answered
    for one in requests[1::2]:
        one.cancel()
    granted = [not isinstance(one, BaseException) for one in await asyncio.gather(*requests, return_exceptions=True)]

    assert granted == [True, False] * 10
    assert await spent(lambda: process.spend([ALICE], 10)) == 90


@standalone
@pytest.mark.parametrize("turns", range(3))
@pytest.mark.parametrize("answered", [False, True])
async def test_a_request_that_is_cancelled_at_any_moment_costs_nothing(
    group: ProcessGroup, answered: bool, turns: int
) -> None:
    """The process has points of one payer. Points of the other are requested, or arrived `turns` loop turns ago."""
    process = group.process()
    for _ in range(2):
        await process.spend([ADDRESS], 100)
    before = charges("bucket")
    request = process.charge([Charge(ALICE, 100), Charge(ADDRESS, 100)])
    assert isinstance(request, asyncio.Task)
    while answered and charges("bucket") == before:
        await asyncio.sleep(0)
    for _ in range(turns):
        await asyncio.sleep(0)
    paid = not request.cancel()
    await asyncio.wait([request])

    assert paid == (answered and turns == 2)
    assert await spent(lambda: process.spend([ALICE], 100)) == 10 - paid
    assert await spent(lambda: process.spend([ADDRESS], 100)) == 50 - 2 - paid


@standalone
async def test_while_redis_is_down_each_process_charges_a_local_bucket(group: ProcessGroup) -> None:
    process = group.process(redis_url="redis://127.0.0.1:1/0")
    before = charges("stand-in")

    assert await spent(lambda: process.spend([ALICE, ADDRESS], 7)) == math.floor(1000 / 7)
    assert charges("stand-in") > before
    assert (await refusal(process.spend([ALICE], 7))).retry_after == 700.0
    await group.passes(700)
    assert await spent(lambda: process.spend([ALICE], 7)) == 1


@standalone
async def test_an_error_reaches_all_waiting_requests(group: ProcessGroup) -> None:
    process = group.process()
    await group.redis("SADD", name(ALICE), 1, write=True)

    results = await asyncio.gather(*[process.spend([ALICE], 7) for _ in range(3)], return_exceptions=True)

    assert [type(one) for one in results] == [ResponseError] * 3
    await group.redis("DEL", name(ALICE), write=True)
    assert (await process.spend([ALICE], 7)).remaining == 993
