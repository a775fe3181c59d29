"""Budget reservations: a process reserves points in advance and spends a little on credit, to save round trips."""

import pytest

from store.budgets.budgets import LIFE_S, SLICES
from tests.store.budgets.budget_processes import ADDRESS, ALICE, ProcessGroup, fresh, outcomes, refusal, spent, trips


async def test_reserved_points_are_spent_without_a_round_trip(group: ProcessGroup) -> None:
    """Reservations grow with use, up to a maximum. All payers of a request share the round trips."""
    process = group.process()
    payers = [fresh(ALICE, 1, capacity=2000), ADDRESS]

    taken = [await trips(process.spend(payers, 10)) for _ in range(11)]
    assert taken == [1, 1, 0, 1, 0, 0, 1, 0, 0, 0, 1]

    later = [await trips(process.spend(payers, 10)) for _ in range(110)]
    assert (max(later), sum(later)) == (1, 15)


async def test_a_process_never_reserves_more_than_the_maximum(group: ProcessGroup) -> None:
    process = group.process()
    for times in range(1, 80):
        await process.spend([ALICE], 10)
        assert 10 * times <= 1000 - await group.bucket(ALICE) <= 10 * times + 1000 // SLICES


async def test_unused_reserved_points_are_lost_and_never_exceed_the_points_spent(group: ProcessGroup) -> None:
    process = group.process()
    for _ in range(2):
        await process.spend([ALICE], 10)
    assert await group.bucket(ALICE) == 970
    await group.passes(LIFE_S + 1)

    assert await trips(process.spend([ALICE], 10)) == 1

    assert await group.bucket(ALICE) == 960


async def test_a_payer_who_spends_little_in_many_processes_loses_no_points(group: ProcessGroup) -> None:
    """Each of ten processes sees the payer too seldom to reserve points."""
    processes = [group.process() for _ in range(10)]
    for number in range(50):
        await processes[number % 10].spend([ALICE], 10)
        await group.passes(1)

    assert await group.bucket(ALICE) == 500


async def test_concurrent_charges_of_a_process_share_one_round_trip(group: ProcessGroup) -> None:
    process = group.process()

    assert await trips(outcomes(*[process.spend([ALICE, ADDRESS], 10) for _ in range(100)])) == 1

    assert await group.bucket(ALICE) == 0
    assert await group.bucket(ADDRESS) == 4000


@pytest.mark.parametrize("capacity", [100, 1000])
async def test_spending_on_credit_never_blocks_a_payer(group: ProcessGroup, capacity: int) -> None:
    """Not even for a charge of the whole capacity, nor with a credit above the lendable part."""
    payer = fresh(ALICE, capacity, capacity=capacity, rate=10)
    process = group.process(credit=500)
    for _ in range(4):
        assert await trips(process.spend([payer], capacity // 50)) == 0
    await group.passes(LIFE_S + 1)

    refused = await refusal(process.spend([payer], capacity))
    await group.passes(refused.retry_after or 0, payer)

    assert (await process.spend([payer], capacity)).remaining == 0


async def test_credit_is_part_of_the_capacity(group: ProcessGroup) -> None:
    payer = fresh(ALICE, "small", capacity=100)
    process = group.process(credit=500)

    assert await spent(lambda: process.spend([payer], 10)) == 10


async def test_a_process_lends_at_most_a_tenth_of_a_small_budget(group: ProcessGroup) -> None:
    """So many processes together lend little."""
    payer = fresh(ALICE, "small", capacity=30)
    processes = [group.process(credit=500) for _ in range(4)]

    lent = [[await trips(process.spend([payer], 1)) for _ in range(4)] for process in processes]

    assert lent == [[0, 0, 0, 1]] * 4
    assert await group.bucket(payer) == 30 - 4 * 4
