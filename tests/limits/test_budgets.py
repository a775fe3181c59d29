"""Budgets hold what they promise: nothing is spent that was not there, and little of what is there takes a trip."""

import asyncio
import math
import random

import pytest
from redis.exceptions import ResponseError

import metrics
from errors import BadInput
from store.accounts import LIFE_S, SLICES, Allowance, Exhausted
from store.scripts import SPEND
from tests.limits.stage import ADDRESS, ALICE, Stage, fresh, name, outcomes, refusal, spent, trips

standalone = pytest.mark.parametrize("redis_mode", ["standalone"])


async def test_a_full_budget_is_spent_to_the_last_point(stage: Stage) -> None:
    process = stage.process()

    assert await spent(lambda: process.spend([ALICE], 7)) == 1000 // 7
    assert (await process.spend([ALICE], 1000 % 7)).remaining == 0
    assert await spent(lambda: stage.process().spend([ALICE], 1)) == 0


async def test_an_allowance_tells_what_is_left_and_when_it_will_be_full(stage: Stage) -> None:
    process = stage.process()
    clock_ms = await stage.redis.clock_ms(name(ALICE))

    told = [await process.spend([ALICE], 10) for _ in range(30)]

    assert [(one.cost, one.limit, one.remaining) for one in told] == [(10, 1000, 1000 - 10 * n) for n in range(1, 31)]
    lacking = ALICE.capacity - await stage.bucket(ALICE)
    assert told[-1].reset_at_ms == pytest.approx(clock_ms + lacking / ALICE.rate * 1000, abs=10_000)
    assert told[-1].reset_at.timestamp() * 1000 == told[-1].reset_at_ms


async def test_of_several_payers_the_one_with_the_least_left_is_told_of(stage: Stage) -> None:
    process = stage.process()
    await process.spend([ADDRESS], 4500)

    told = await process.spend([ALICE, ADDRESS], 10)

    assert (told.limit, told.remaining) == (5000, 490)


async def test_what_a_process_has_reserved_takes_no_trip(stage: Stage) -> None:
    """Reserves grow with what is spent, up to a slice; all payers of a request share the trips."""
    process = stage.process()
    payers = [fresh(ALICE, 1, capacity=2000), ADDRESS]

    taken = [await trips(process.spend(payers, 10)) for _ in range(11)]
    assert taken == [1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1]

    later = [await trips(process.spend(payers, 10)) for _ in range(110)]
    assert (max(later), sum(later)) == (1, 15)


async def test_a_process_never_reserves_more_than_a_slice(stage: Stage) -> None:
    process = stage.process()
    for times in range(1, 80):
        await process.spend([ALICE], 10)
        assert 10 * times <= 1000 - await stage.bucket(ALICE) <= 10 * times + 1000 // SLICES


async def test_what_is_reserved_and_not_spent_is_lost_and_never_more_than_was_spent(stage: Stage) -> None:
    process = stage.process()
    for _ in range(2):
        await process.spend([ALICE], 10)
    assert await stage.bucket(ALICE) == 970
    await stage.passes(LIFE_S + 1)

    assert await trips(process.spend([ALICE], 10)) == 1

    assert await stage.bucket(ALICE) == 960


async def test_somebody_who_spends_a_little_everywhere_loses_nothing(stage: Stage) -> None:
    """Each of ten processes sees them too seldom to reserve anything."""
    processes = [stage.process() for _ in range(10)]
    for number in range(50):
        await processes[number % 10].spend([ALICE], 10)
        await stage.passes(1)

    assert await stage.bucket(ALICE) == 500


async def test_many_at_once_in_a_process_share_one_trip(stage: Stage) -> None:
    process = stage.process()

    assert await trips(outcomes(*[process.spend([ALICE, ADDRESS], 10) for _ in range(100)])) == 1

    assert await stage.bucket(ALICE) == 0
    assert await stage.bucket(ADDRESS) == 4000


async def test_many_at_once_are_served_as_far_as_it_goes_in_the_order_they_came(stage: Stage) -> None:
    process = stage.process()

    granted = await outcomes(*[process.spend([ALICE], 30) for _ in range(50)])

    assert granted == [True] * 33 + [False] * 17


async def test_the_cheap_are_served_where_the_dear_cannot_be(stage: Stage) -> None:
    process = stage.process()
    await stage.process().spend([ALICE], 900)

    assert await outcomes(*[process.spend([ALICE], cost) for cost in (500, 60, 400, 40, 1)]) == [
        False,
        True,
        False,
        True,
        False,
    ]


async def test_however_many_processes_hammer_no_more_is_spent_than_there_is(stage: Stage) -> None:
    dice = random.Random(7)
    processes = [stage.process() for _ in range(8)]
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
    assert await stage.bucket(ALICE) < 30


async def test_what_is_refilled_can_be_spent_and_no_more(stage: Stage) -> None:
    processes = [stage.process() for _ in range(4)]
    total = 0
    for _ in range(20):
        for process in processes:
            total += 50 * await spent(lambda process=process: process.spend([ALICE], 50))  # type: ignore[misc]
        await stage.passes(10_000, ALICE)  # worth 100 points

    assert 1000 + 19 * 100 - 4 * 50 <= total <= 1000 + 19 * 100


async def test_a_bucket_refills_to_the_brim_and_its_key_lives_just_as_long(stage: Stage) -> None:
    process = stage.process()
    await process.spend([ALICE], 300)
    assert 29_900_000 < await stage.redis("PTTL", name(ALICE)) <= 30_000_000

    await stage.passes(30_001, ALICE)

    assert await stage.redis("EXISTS", name(ALICE)) == 0
    assert (await process.spend([ALICE], 1000)).remaining == 0


async def test_where_one_payer_cannot_pay_the_other_does_not(stage: Stage) -> None:
    process = stage.process()
    await stage.process().spend([ADDRESS], 4980)

    for _ in range(5):
        assert (await refusal(process.spend([ALICE, ADDRESS], 30))).payer == ADDRESS

    elsewhere = fresh(ADDRESS, "198.51.100.1")
    assert (await process.spend([ALICE, elsewhere], 30)).remaining == 970
    assert await stage.bucket(ALICE) == 970  # what was taken for the first refusal paid for this
    assert (await process.spend([ADDRESS], 20)).remaining == 0


async def test_a_refusal_tells_what_is_left_and_when_to_try_again(stage: Stage) -> None:
    process = stage.process()
    await process.spend([ALICE], 990)

    refused = await refusal(stage.process().spend([ALICE, ADDRESS], 25))

    assert (refused.code, refused.retry_after) == ("RATE_LIMITED", 1500.0)
    assert refused.allowance == Allowance(25, 1000, 10, refused.allowance.reset_at_ms)


@pytest.mark.parametrize(("before", "cost"), [(990, 25), (1000, 1), (1000, 1000), (500, 501), (7, 994)])
async def test_after_the_time_told_it_works_and_not_long_before(stage: Stage, before: int, cost: int) -> None:
    process = stage.process()
    await stage.process().spend([ALICE], before)
    told = (await refusal(process.spend([ALICE], cost))).retry_after
    assert told is not None

    await stage.passes(told - 2, ALICE)
    assert (await refusal(process.spend([ALICE], cost))).retry_after in (1.0, 2.0)
    await stage.passes(2, ALICE)
    await process.spend([ALICE], cost)


async def test_refusals_that_the_last_one_implies_take_no_trip(stage: Stage) -> None:
    process = stage.process()
    await stage.process().spend([ALICE], 1000)

    async def refuse() -> None:
        await refusal(process.spend([ALICE, ADDRESS], 10))

    assert await trips(refuse()) == 1
    assert [await trips(refuse()) for _ in range(100)] == [0] * 100

    await stage.redis("DEL", name(ALICE), write=True)
    assert await trips(refuse()) == 0
    await stage.passes(LIFE_S + 1)
    assert await trips(process.spend([ALICE, ADDRESS], 10)) == 1


@pytest.mark.parametrize("cost", [0, -1, -(2**63)])
async def test_nothing_is_ever_paid_back(stage: Stage, cost: int) -> None:
    with pytest.raises(ValueError, match="at least a point"):
        await stage.process().spend([ALICE], cost)

    assert await stage.redis("EXISTS", name(ALICE)) == 0


@pytest.mark.parametrize("cost", [1001, 2**31, 2**53 + 1, 2**64, 10**30])
async def test_what_no_budget_could_hold_is_bad_input_and_takes_nothing(stage: Stage, cost: int) -> None:
    process = stage.process()

    async def ask() -> None:
        with pytest.raises(BadInput, match=f"This costs {cost} points; the budget (user|ip) never holds"):
            await process.spend([ADDRESS, ALICE], cost)

    assert await trips(ask()) == 0
    assert await stage.redis("EXISTS", name(ALICE)) == 0


@pytest.mark.parametrize(
    "args",
    [
        *((1000, 1, 0, 5), (1000, 1, -5, 5), (1000, 1, 6, 5), (1000, 1, 1, 1001), (1000, 0, 1, 1), (1000, -1, 1, 1)),
        *((1000, "nan", 1, 1), (1000, "inf", 1, 1), (2**31, 1, 1, 1), ("nan", 1, 1, 1), (1000, 1, "nan", 1)),
        *(("x", 1, 1, 1), (1000, "", 1, 1), (1000, 1, 1, 2**60)),
    ],
)
async def test_the_script_refuses_what_makes_no_sense_before_it_writes(stage: Stage, args: tuple[object, ...]) -> None:
    await stage.process().spend([ALICE], 10)
    before = await stage.redis("GET", name(ALICE))

    with pytest.raises(ResponseError):
        await stage.redis.run(SPEND, [name(ALICE)], args)

    assert await stage.redis("GET", name(ALICE)) == before


async def test_a_clock_that_has_gone_back_refills_nothing_and_locks_nobody_out(stage: Stage) -> None:
    """As when another server takes over, an hour behind."""
    await stage.process().spend([ALICE], 900)
    left, since = (await stage.redis("GET", name(ALICE))).split()
    await stage.redis("SET", name(ALICE), b"%s %d" % (left, int(since) + 3_600_000), "PX", 90_000_000, write=True)

    assert (await stage.process().spend([ALICE], 10)).remaining == 90
    await stage.passes(1000, ALICE)  # worth 10 points
    assert (await stage.process().spend([ALICE], 1)).remaining == 99
    assert await spent(lambda: stage.process().spend([ALICE], 99)) == 1


async def test_a_budget_made_smaller_holds_no_more_than_that(stage: Stage) -> None:
    await stage.process().spend([ALICE], 100)

    assert (await stage.process().spend([fresh(ALICE, 1, capacity=500)], 1)).remaining == 499


async def test_requests_that_give_up_cost_nothing(stage: Stage) -> None:
    process = stage.process()
    requests = [asyncio.ensure_future(process.spend([ALICE, ADDRESS], 10)) for _ in range(20)]
    for at, one in enumerate(requests):
        await asyncio.sleep(0)
        if at % 2:
            one.cancel()
    granted = [not isinstance(one, BaseException) for one in await asyncio.gather(*requests, return_exceptions=True)]

    assert granted == [True, False] * 10
    assert await spent(lambda: process.spend([ALICE], 10)) == 90


@standalone
@pytest.mark.parametrize("moments", range(6))
async def test_a_request_that_gives_up_at_any_moment_costs_nothing(stage: Stage, moments: int) -> None:
    """One payer's points are there already, the other's are on their way."""
    process = stage.process()
    for _ in range(2):
        await process.spend([ADDRESS], 100)
    request = asyncio.ensure_future(process.spend([ALICE, ADDRESS], 100))
    for _ in range(moments):
        await asyncio.sleep(0.0002)
    request.cancel()
    paid = not isinstance((await asyncio.gather(request, return_exceptions=True))[0], BaseException)

    assert await spent(lambda: process.spend([ALICE], 100)) == 10 - paid
    assert await spent(lambda: process.spend([ADDRESS], 100)) == 50 - 2 - paid


@standalone
async def test_while_redis_is_down_each_process_charges_a_stand_in(stage: Stage) -> None:
    process = stage.process(redis_url="redis://127.0.0.1:1/0")
    counted = metrics.BUDGETS.labels("user", "stand-in")
    before = counted._value.get()

    assert await spent(lambda: process.spend([ALICE, ADDRESS], 7)) == math.floor(1000 / 7)
    assert counted._value.get() > before
    assert (await refusal(process.spend([ALICE], 7))).retry_after == 700.0
    await stage.passes(700)
    assert await spent(lambda: process.spend([ALICE], 7)) == 1


@standalone
async def test_what_goes_wrong_is_told_to_all_who_wait(stage: Stage) -> None:
    process = stage.process()
    await stage.redis("SADD", name(ALICE), 1, write=True)

    results = await asyncio.gather(*[process.spend([ALICE], 7) for _ in range(3)], return_exceptions=True)

    assert [type(one) for one in results] == [ResponseError] * 3
    await stage.redis("DEL", name(ALICE), write=True)
    assert (await process.spend([ALICE], 7)).remaining == 993


@pytest.mark.parametrize("capacity", [100, 1000])
async def test_what_is_owed_never_keeps_somebody_out(stage: Stage, capacity: int) -> None:
    """Not even from what costs all that a budget holds, and not where the credit is more than it holds."""
    payer = fresh(ALICE, capacity, capacity=capacity, rate=10)
    process = stage.process(credit=500)
    for _ in range(4):
        assert await trips(process.spend([payer], capacity // 10)) == 0
    await stage.passes(LIFE_S + 1)

    refused = await refusal(process.spend([payer], capacity))
    await stage.passes(refused.retry_after or 0, payer)

    assert (await process.spend([payer], capacity)).remaining == 0


async def test_credit_is_part_of_what_a_budget_holds_and_never_more(stage: Stage) -> None:
    payer = fresh(ALICE, "small", capacity=100)
    process = stage.process(credit=500)

    assert await spent(lambda: process.spend([payer], 10)) == 10
