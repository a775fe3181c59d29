"""Who cannot pay has paid nothing and is told when to come back; what makes no sense is refused unwritten."""

import pytest
from redis.exceptions import ResponseError

from domain.errors import BadInput
from store.budgets.reservations import LIFE_S, Allowance
from store.scripts import SPEND
from tests.store.budgets.budget_processes import ADDRESS, ALICE, ProcessGroup, fresh, name, refusal, trips


async def test_where_one_payer_cannot_pay_the_other_does_not(group: ProcessGroup) -> None:
    process = group.process()
    await group.process().spend([ADDRESS], 4980)

    for _ in range(5):
        assert (await refusal(process.spend([ALICE, ADDRESS], 30))).payer == ADDRESS

    elsewhere = fresh(ADDRESS, "198.51.100.1")
    assert (await process.spend([ALICE, elsewhere], 30)).remaining == 970
    assert await group.bucket(ALICE) == 970  # what was taken for the first refusal paid for this
    assert (await process.spend([ADDRESS], 20)).remaining == 0


async def test_a_refusal_tells_what_is_left_and_when_to_try_again(group: ProcessGroup) -> None:
    process = group.process()
    await process.spend([ALICE], 990)

    refused = await refusal(group.process().spend([ALICE, ADDRESS], 25))

    assert (refused.code, refused.retry_after) == ("RATE_LIMITED", 1500.0)
    assert refused.allowance == Allowance(25, 1000, 10, refused.allowance.reset_at_ms, "user")


@pytest.mark.parametrize(("before", "cost"), [(990, 25), (1000, 1), (1000, 1000), (500, 501), (7, 994)])
async def test_after_the_time_told_it_works_and_not_long_before(group: ProcessGroup, before: int, cost: int) -> None:
    process = group.process()
    await group.process().spend([ALICE], before)
    told = (await refusal(process.spend([ALICE], cost))).retry_after
    assert told is not None

    await group.passes(told - 2, ALICE)
    assert (await refusal(process.spend([ALICE], cost))).retry_after in (1.0, 2.0)
    await group.passes(2, ALICE)
    await process.spend([ALICE], cost)


async def test_refusals_that_the_last_one_implies_take_no_trip(group: ProcessGroup) -> None:
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
async def test_nothing_is_ever_paid_back(group: ProcessGroup, cost: int) -> None:
    with pytest.raises(ValueError, match="at least one point"):
        await group.process().spend([ALICE], cost)

    assert await group.redis("EXISTS", name(ALICE)) == 0


@pytest.mark.parametrize("cost", [1001, 2**31, 2**53 + 1, 2**64, 10**30])
async def test_what_no_budget_could_hold_is_bad_input_and_takes_nothing(group: ProcessGroup, cost: int) -> None:
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
async def test_the_script_refuses_what_makes_no_sense_before_it_writes(
    group: ProcessGroup, args: tuple[object, ...]
) -> None:
    await group.process().spend([ALICE], 10)
    before = await group.redis("GET", name(ALICE))

    with pytest.raises(ResponseError):
        await group.redis.run(SPEND, [name(ALICE)], args)

    assert await group.redis("GET", name(ALICE)) == before
