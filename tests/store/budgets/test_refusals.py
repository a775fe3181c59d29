"""A refused charge costs nothing and has the time of the next attempt. Invalid charges are refused before any write."""

import pytest
from redis.exceptions import ResponseError

from domain.errors import BadInput
from store.budgets.budgets import LIFE_S
from store.budgets.charges import Allowance
from store.scripts import SPEND_BUDGET
from tests.store.budgets.budget_processes import ADDRESS, ALICE, ProcessGroup, fresh, name, refusal, trips


async def test_if_one_payer_cannot_pay_the_other_is_not_charged(group: ProcessGroup) -> None:
    process = group.process()
    await group.process().spend([ADDRESS], 4980)

    for _ in range(5):
        assert (await refusal(process.spend([ALICE, ADDRESS], 30))).payer == ADDRESS

    elsewhere = fresh(ADDRESS, "198.51.100.1")
    assert (await process.spend([ALICE, elsewhere], 30)).remaining == 970
    assert await group.bucket(ALICE) == 970  # the points reserved for the refused charge paid for this one
    assert (await process.spend([ADDRESS], 20)).remaining == 0


async def test_a_refusal_has_the_remaining_points_and_the_time_of_the_next_attempt(group: ProcessGroup) -> None:
    process = group.process()
    await process.spend([ALICE], 990)

    refused = await refusal(group.process().spend([ALICE, ADDRESS], 25))

    assert (refused.code, refused.retry_after) == ("RATE_LIMITED", 1500.0)
    assert refused.allowance == Allowance(25, 1000, 10, refused.allowance.reset_at_ms, "user")


@pytest.mark.parametrize(("before", "cost"), [(990, 25), (1000, 1), (1000, 1000), (500, 501), (7, 994)])
async def test_a_charge_succeeds_at_the_announced_time_and_not_long_before(
    group: ProcessGroup, before: int, cost: int
) -> None:
    process = group.process()
    await group.process().spend([ALICE], before)
    announced = (await refusal(process.spend([ALICE], cost))).retry_after
    assert announced is not None

    await group.passes(announced - 2, ALICE)
    assert (await refusal(process.spend([ALICE], cost))).retry_after in (1.0, 2.0)
    await group.passes(2, ALICE)
    await process.spend([ALICE], cost)


async def test_a_refusal_that_follows_from_the_last_one_costs_no_round_trip(group: ProcessGroup) -> None:
    process = group.process()
    await group.process().spend([ALICE], 1000)

    async def refuse() -> None:
        await refusal(process.spend([ALICE, ADDRESS], 10))

    assert await trips(refuse()) == 1
    assert [await trips(refuse()) for _ in range(100)] == [0] * 100

    await group.redis("DEL", name(ALICE), write=True)
    assert await trips(refuse()) == 0
    await group.passes(LIFE_S + 1)
    assert await trips(process.spend([ALICE, ADDRESS], 10)) == 1


@pytest.mark.parametrize("cost", [0, -1, -(2**63)])
async def test_charges_are_never_refunded(group: ProcessGroup, cost: int) -> None:
    with pytest.raises(ValueError, match="at least one point"):
        await group.process().spend([ALICE], cost)

    assert await group.redis("EXISTS", name(ALICE)) == 0


@pytest.mark.parametrize("cost", [1001, 2**31, 2**53 + 1, 2**64, 10**30])
async def test_a_charge_above_every_capacity_is_bad_input_and_takes_nothing(group: ProcessGroup, cost: int) -> None:
    process = group.process()

    async def ask() -> None:
        with pytest.raises(BadInput, match=f"This takes {cost} of the budget (user|ip), which never holds"):
            await process.spend([ADDRESS, ALICE], cost)

    assert await trips(ask()) == 0
    assert await group.redis("EXISTS", name(ALICE)) == 0


@pytest.mark.parametrize(
    "args",
    [
        *((1000, 1, 0, 5), (1000, 1, -5, 5), (1000, 1, 6, 5), (1000, 1, 1, 1001), (1000, 0, 1, 1), (1000, -1, 1, 1)),
        *((1000, "nan", 1, 1), (1000, "inf", 1, 1), (2**31, 1, 1, 1), ("nan", 1, 1, 1), (1000, 1, "nan", 1)),
        *(("x", 1, 1, 1), (1000, "", 1, 1), (1000, 1, 1, 2**60)),
    ],
)
async def test_the_script_refuses_invalid_arguments_before_it_writes(
    group: ProcessGroup, args: tuple[object, ...]
) -> None:
    await group.process().spend([ALICE], 10)
    before = await group.redis("GET", name(ALICE))

    with pytest.raises(ResponseError):
        await group.redis.run(SPEND_BUDGET, [name(ALICE)], args)

    assert await group.redis("GET", name(ALICE)) == before
