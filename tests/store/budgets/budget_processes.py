"""Processes that spend from the budgets of one Redis, with a clock that tests control."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from pydantic import SecretStr

from observability import metrics
from settings import Settings
from store import keys
from store.budgets.budgets import Budgets
from store.budgets.charges import Allowance, Charge, Exhausted, Payer
from store.redis import client as redis
from store.redis.client import Redis

ALICE = Payer("user", "1", 1000, 0.01)
"""The refill is so slow that it is negligible during a test."""
ADDRESS = Payer("ip", "203.0.113.7", 5000, 0.05)
WALL_MS = 1_800_000_000_000


def settings(url: str, mode: Any) -> Settings:
    return Settings(redis_url=url, redis_mode=mode, jwt_secret=SecretStr("s" * 32), redis_timeout=5)


class Process(Budgets):
    """The budgets of a process, with methods that wait for the result."""

    async def spend(self, payers: Sequence[Payer], cost: int) -> Allowance:
        """Charges all payers an equal cost."""
        return await self.pay(*[Charge(payer, cost) for payer in payers])

    async def pay(self, *charges: Charge) -> Allowance:
        """Charges each payer its own cost."""
        charging = self.charge(charges)
        return charging if isinstance(charging, Allowance) else await charging


class ProcessGroup:
    """The processes of one test. Each has its own connections; all have one clock."""

    def __init__(self, url: str, mode: str) -> None:
        self._settings = settings(url, mode)
        self._clients: list[Redis] = []
        self.redis = self._connect()
        self.now = 1000.0

    def process(self, credit: int = 0, **changes: Any) -> Process:
        return Process(
            self._connect(**changes), lambda: WALL_MS + int(self.now * 1000), lambda: self.now, credit=credit
        )

    async def close(self) -> None:
        for client in self._clients:
            await client.close()

    async def bucket(self, payer: Payer) -> int:
        """Returns the whole points that a bucket has left in Redis."""
        raw = await self.redis("GET", name(payer))
        return math.floor(float(raw.split()[0])) if raw else payer.capacity

    async def passes(self, seconds: float, *payers: Payer) -> None:
        """Moves the clock of the processes and of these payers' buckets forward."""
        self.now += seconds
        age = round(seconds * 1000)
        for key in map(name, payers):
            raw, life = await self.redis.gather([("GET", key), ("PTTL", key)])
            if raw is None:
                continue
            left, since = raw.split()
            if life <= age:
                await self.redis("DEL", key, write=True)
            else:
                await self.redis("SET", key, b"%s %d" % (left, int(since) - age), "PX", life - age, write=True)

    def _connect(self, **changes: Any) -> Redis:
        chosen = self._settings.model_copy(update=changes)
        self._clients.append(redis.connect(chosen.redis_url, chosen))
        return self._clients[-1]


def name(payer: Payer) -> str:
    return keys.budget(payer.budget, payer.whose)


def fresh(payer: Payer, whose: object, **changes: Any) -> Payer:
    return payer._replace(whose=str(whose), **changes)


async def trips(spending: Awaitable[Any]) -> int:
    """Returns the round trips to Redis of a charge."""
    usage = metrics.Usage()
    metrics.usage.set(usage)
    await spending
    return usage.redis_round_trips


async def spent(spend: Callable[[], Awaitable[Allowance]], most: int = 10_000) -> int:
    """Returns how often a charge succeeds until it is refused."""
    for times in range(most):
        try:
            await spend()
        except Exhausted:
            return times
    raise AssertionError("it is never refused")


async def refusal(spending: Awaitable[Allowance]) -> Exhausted:
    """Returns the refusal of a charge."""
    try:
        allowance = await spending
    except Exhausted as error:
        return error
    raise AssertionError(f"it was granted: {allowance}")


async def outcomes(*spendings: Awaitable[Allowance]) -> list[bool]:
    """Returns which of several concurrent charges were granted. The others must be refused."""
    results = await asyncio.gather(*spendings, return_exceptions=True)
    assert all(isinstance(one, Allowance | Exhausted) for one in results), results
    return [isinstance(one, Allowance) for one in results]
