"""While Redis is down, each process charges budgets alone and spends only what docs/reference/limits.md allows (S1)."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from runner.valkey import Valkey
from settings import Settings
from store.budgets import budgets
from store.budgets.budgets import LIFE_S
from store.budgets.charges import Charge
from store.redis import client as redis
from store.scripts import SPEND_BUDGET
from tests.store.budgets.budget_processes import ADDRESS, ALICE, Process, ProcessGroup, fresh, refusal, spent
from tests.support.metrics import metric
from tests.support.stores import standalone

pytestmark = standalone

DEAD = "redis://127.0.0.1:1/0"
LIKES = fresh(ALICE, "video:7", budget="user.reactions", capacity=30)
"""One point refills in a hundred seconds."""


class Switched:
    """A process whose Redis a test can turn off and on."""

    def __init__(self, group: ProcessGroup) -> None:
        self.process: Process = group.process()
        self._there, self._gone = self.process._redis, group.process(redis_url=DEAD)._redis

    def down(self) -> None:
        self.process._redis = self._gone

    def back(self) -> None:
        self.process._redis = self._there

    async def spends(self) -> int:
        return await spent(lambda: self.process.spend([LIKES, ADDRESS], 1))


@pytest.fixture
def switched(group: ProcessGroup) -> Switched:
    return Switched(group)


async def test_a_local_bucket_begins_with_at_most_the_points_of_the_bucket_in_redis(
    group: ProcessGroup, switched: Switched
) -> None:
    assert await switched.spends() == 30
    switched.down()

    assert await switched.spends() == 0
    await group.passes(300)
    assert await switched.spends() == 3


async def test_a_new_payer_has_a_full_local_bucket_in_each_process(group: ProcessGroup) -> None:
    """So N processes grant N times as much, as the documentation says."""
    processes = [Switched(group) for _ in range(3)]
    for one in processes:
        one.down()

    assert [await one.spends() for one in processes] == [30] * 3


async def test_repeated_outages_do_not_refill_a_local_bucket(group: ProcessGroup, switched: Switched) -> None:
    total = 0
    for _ in range(5):
        switched.down()
        total += await switched.spends()
        await group.passes(LIFE_S + 1, LIKES, ADDRESS)
        switched.back()
        total += await switched.spends()
        await group.passes(LIFE_S + 1, LIKES, ADDRESS)

    assert 30 + 30 <= total <= 30 + 30 + 2  # bucket and local bucket once each, and the refill of a minute


async def test_points_spent_on_credit_are_charged_when_redis_is_back(group: ProcessGroup) -> None:
    switched = Switched(group)
    switched.process = group.process(credit=500)
    switched._there = switched.process._redis
    await switched.process.spend([LIKES], 3)  # spent on credit
    switched.down()
    assert await group.bucket(LIKES) == 30
    switched.back()

    await switched.process.spend([LIKES], 1)

    assert await group.bucket(LIKES) == 26


async def test_local_buckets_charge_all_payers_or_none(switched: Switched) -> None:
    switched.down()
    process = switched.process
    await process.spend([LIKES], 28)

    assert (await refusal(process.pay(Charge(ADDRESS, 10), Charge(LIKES, 3)))).payer == LIKES
    assert (await process.spend([ADDRESS], 1)).remaining == 4999
    assert (await process.spend([LIKES], 2)).remaining == 0


async def test_many_invented_payers_of_one_budget_evict_no_payer_of_another_budget(
    switched: Switched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(budgets, "_MOST_PAYERS", 10)
    switched.down()
    assert await switched.spends() == 30

    for number in range(20):
        await switched.process.spend([fresh(LIKES, number, budget="device.reactions")], 1)

    assert await switched.spends() == 0


@pytest_asyncio.fixture
async def full(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """Starts a Redis that has no memory left and evicts nothing."""
    with Valkey(tmp_path_factory.mktemp("full")) as server:
        client = redis.connect(server.url, Settings(redis_url=server.url, jwt_secret="s" * 32))  # type: ignore[arg-type]
        await client.client.script_load(SPEND_BUDGET.source)
        await client.client.config_set("maxmemory", 1)
        await client.client.config_set("maxmemory-policy", "noeviction")
        yield server.url
        await client.close()


async def test_a_redis_without_memory_counts_as_down(group: ProcessGroup, full: str) -> None:
    process = group.process(redis_url=full)
    before = metric("budget_charges_total", budget=LIKES.budget, outcome="stand-in")

    assert await spent(lambda: process.spend([LIKES], 1)) == 30
    assert metric("budget_charges_total", budget=LIKES.budget, outcome="stand-in") > before
