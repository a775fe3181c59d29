"""While Redis is down, each process charges budgets alone and spends only what docs/reference/limits.md allows (S1)."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from observability import metrics
from runner.valkey import Valkey
from settings import Settings
from store.budgets import budgets
from store.budgets.reservations import LIFE_S, Charge
from store.redis import client as redis
from store.scripts import SPEND
from tests.store.budgets.budget_processes import ADDRESS, ALICE, Process, ProcessGroup, fresh, refusal, spent
from tests.support.stores import standalone

pytestmark = standalone

DEAD = "redis://127.0.0.1:1/0"
LIKES = fresh(ALICE, "video:7", budget="user.reactions", capacity=30)
"""Refilled with one in a hundred seconds."""


class Switched:
    """A process whose Redis can be taken away and given back."""

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


async def test_a_stand_in_begins_with_no_more_than_the_bucket_had(group: ProcessGroup, switched: Switched) -> None:
    assert await switched.spends() == 30
    switched.down()

    assert await switched.spends() == 0
    await group.passes(300)
    assert await switched.spends() == 3


async def test_somebody_new_has_a_whole_stand_in_in_each_process(group: ProcessGroup) -> None:
    """So N processes spend N times as much: that is what the docs say."""
    processes = [Switched(group) for _ in range(3)]
    for one in processes:
        one.down()

    assert [await one.spends() for one in processes] == [30] * 3


async def test_redis_coming_and_going_gives_nobody_a_stand_in_anew(group: ProcessGroup, switched: Switched) -> None:
    total = 0
    for _ in range(5):
        switched.down()
        total += await switched.spends()
        await group.passes(LIFE_S + 1, LIKES, ADDRESS)
        switched.back()
        total += await switched.spends()
        await group.passes(LIFE_S + 1, LIKES, ADDRESS)

    assert 30 + 30 <= total <= 30 + 30 + 2  # the bucket and the stand-in, once each, and what a minute refills


async def test_what_is_owed_when_redis_goes_is_paid_when_it_is_back(group: ProcessGroup) -> None:
    switched = Switched(group)
    switched.process = group.process(credit=500)
    switched._there = switched.process._redis
    await switched.process.spend([LIKES], 3)  # lent
    switched.down()
    assert await group.bucket(LIKES) == 30
    switched.back()

    await switched.process.spend([LIKES], 1)

    assert await group.bucket(LIKES) == 26


async def test_all_pay_or_nobody_does_with_stand_ins_too(switched: Switched) -> None:
    switched.down()
    process = switched.process
    await process.spend([LIKES], 28)

    assert (await refusal(process.pay(Charge(ADDRESS, 10), Charge(LIKES, 3)))).payer == LIKES
    assert (await process.spend([ADDRESS], 1)).remaining == 4999
    assert (await process.spend([LIKES], 2)).remaining == 0


async def test_who_invents_payers_of_one_budget_pushes_nobody_out_of_another(
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
    """A Redis that evicts nothing and has no memory left."""
    with Valkey(tmp_path_factory.mktemp("full")) as server:
        client = redis.connect(server.url, Settings(redis_url=server.url, jwt_secret="s" * 32))  # type: ignore[arg-type]
        await client.client.script_load(SPEND.source)
        await client.client.config_set("maxmemory", 1)
        await client.client.config_set("maxmemory-policy", "noeviction")
        yield server.url
        await client.close()


async def test_a_redis_without_memory_is_as_good_as_none(group: ProcessGroup, full: str) -> None:
    process = group.process(redis_url=full)
    counted = metrics.BUDGET_CHARGES.labels(LIKES.budget, "stand-in")
    before = counted._value.get()

    assert await spent(lambda: process.spend([LIKES], 1)) == 30
    assert counted._value.get() > before
