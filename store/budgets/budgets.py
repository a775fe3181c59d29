"""Rate budgets: each payer, such as a user or an IP address, has a token bucket of points in the cache Redis.

Input: the charges of a request, each a payer and a cost in points. Output: the `Allowance` of the payer with the
fewest points left, or the error `Exhausted`. Either all payers of a request pay, or none does.

A process takes points for the requests that wait, and also reserves points in advance. It reserves as many points as
the payer has spent in this process since points were last taken, but at most one twentieth of the capacity (a slice).
It reserves none if the last answer of Redis about the bucket is older than LIFE_S seconds. A charge that the reserve
covers costs no round trip. Nor does a small charge on credit: the payer owes these points until the process takes
points the next time. Any other charge costs one round trip, shared by all payers of a request and all requests that
wait for the same payer.

Guarantees, for a bucket of `capacity` points, refilled with `rate` points a second, and any number of processes:

- Apart from points on credit, all points that are spent were taken out of the bucket at most LIFE_S seconds (and a
  round trip) before. So in any t seconds at most `capacity + rate * (t + LIFE_S)` points are spent, plus the credit of
  each process.
- Reserved points that are not spent within LIFE_S are lost: at most one slice per process each time, and never more
  than this process spent before. Points that were taken for a request that was cancelled, or that was refused because
  another payer lacks points, join the reserve.
- A request waits for at most two round trips. If the last answer about the bucket shows that the points are not there,
  the request is refused without a round trip.
- A bucket that Redis has evicted or lost is full again. After a failover it holds what the replica knew. While Redis
  does not answer, each process charges a local stand-in bucket of the same size, which begins with no more points than
  the bucket had in its last answer. The stand-in is kept from one outage to the next. During the outages within any t
  seconds, a process spends at most `capacity + rate * (t + LIFE_S)` points from it.
"""

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import NamedTuple

from cachetools import LRUCache
from prometheus_client import Counter

from domain.errors import BadInput
from observability import metrics
from store import keys
from store.budgets.charges import Allowance, Charge, Exhausted, Payer
from store.redis.client import Redis, RedisDown
from store.scripts import SPEND_BUDGET

LIFE_S = 5.0
"""Seconds for which reserved points may be spent, and for which an answer of Redis about a bucket is trusted."""
SLICES = 20
"""A process reserves at most one twentieth of a bucket's capacity in advance."""
_MOST_PAYERS = 10_000
"""The most payers that a process keeps in memory for each budget. Each budget has its own limit, so a client that
invents payers of one budget, such as devices, evicts no payer of another.
"""
_CREDIT_PARTS = 10
"""A payer may owe a process at most one tenth of the bucket's capacity."""


class Taken(NamedTuple):
    """The answer of Redis about a bucket, or of the `TokenBucket` that stands in for Redis: the points that were taken,
    the points left, and the time of the answer in milliseconds since the Unix epoch.
    """

    points: int
    left: float
    now_ms: int


@dataclass(slots=True)
class TokenBucket:
    """A token bucket in the memory of this process, used while Redis does not answer. It had `left` points at the time
    `since_ms`, in milliseconds since the Unix epoch. It is computed as in spend_budget.lua.
    """

    left: float
    since_ms: int

    def take(self, payer: Payer, fewest: int, most: int, now_ms: int) -> Taken:
        refilled = max(0, now_ms - self.since_ms) * payer.rate / 1000
        self.left, self.since_ms = min(payer.capacity, self.left + refilled), now_ms
        points = min(most, math.floor(self.left))
        points = 0 if points < fewest else points
        self.left -= points
        return Taken(points, self.left, now_ms)


@dataclass(slots=True)
class Reservation:
    """The points (`cost`) that a request needs from one payer. `answer` is done when the points are paid; it raises
    Exhausted if they are refused.
    """

    cost: int
    answer: "asyncio.Future[None]"


@dataclass(slots=True)
class Account:
    """A payer as this process knows it: the points in reserve, the last answer of Redis about the bucket, and the
    requests that wait for points. Times such as `left_at` are in seconds of the clock of `Budgets`.
    """

    payer: Payer
    credit: int
    reserve: int = 0
    """Points taken in advance. A negative value is the debt from spending on credit."""
    reserve_until: float = -math.inf
    left: float = math.inf
    left_at: float = -math.inf
    full_at_ms: int = 0
    """When the bucket will be full again, in milliseconds since the Unix epoch, according to the last answer. A new
    account begins with the current time.
    """
    spent: int = 0
    """Points spent since points were last taken."""
    waiting: list[Reservation] = field(default_factory=list)
    is_taking: bool = False
    stand_in: TokenBucket | None = None

    def covers(self, cost: int, now: float) -> bool:
        """Returns whether `cost` points can be paid at once: no request waits, and the points in reserve or the credit
        are enough. Drops reserved points that have expired.
        """
        if self.waiting:
            return False
        if now > self.reserve_until:
            self.reserve = min(self.reserve, 0)  # a debt does not expire
        lacking = cost - self.reserve
        return lacking <= 0 or (lacking <= self.credit and lacking <= self.available(now))

    def pay(self, cost: int) -> None:
        self.reserve -= cost
        self.spent += cost

    def give_back(self, cost: int) -> None:
        self.reserve += cost
        self.spent = max(0, self.spent - cost)

    def available(self, now: float, life: float = LIFE_S) -> float:
        """Returns the most points that the bucket may hold at the time `now`, according to the last answer of Redis.
        The bucket may hold fewer, because other processes spend points too. Returns infinity if the answer is older
        than `life` seconds.
        """
        age = now - self.left_at
        return math.inf if age > life else min(self.payer.capacity, self.left + max(0.0, age) * self.payer.rate)

    def points_to_take(self, now: float) -> tuple[int, int]:
        """Returns the least and the greatest number of points to take from the bucket. The least pays the debt and the
        cheapest waiting request. The greatest pays the debt and all waiting requests, and adds a new reserve. If the
        debt and the cheapest request together exceed a full bucket, both numbers are the debt.
        """
        costs = [claim.cost for claim in self.waiting]
        ahead = min(self.payer.capacity // SLICES, self.spent) if now - self.left_at <= LIFE_S else 0
        fewest = max(1, min(costs) - self.reserve)
        if fewest > self.payer.capacity:  # more than a bucket can hold: pay the debt first
            return -self.reserve, -self.reserve
        return fewest, min(self.payer.capacity, max(fewest, sum(costs) + ahead - self.reserve))

    def record(self, taken: Taken, sent_at: float) -> None:
        """Stores an answer about the bucket, and adds the points that were taken to the reserve. `sent_at` is when the
        bucket was asked, in seconds of the clock of `Budgets`.
        """
        self.left, self.left_at = taken.left, sent_at
        lacking = self.payer.capacity - taken.left
        self.full_at_ms = taken.now_ms + math.ceil(lacking / self.payer.rate * 1000)
        if taken.points:
            self.reserve += taken.points
            self.reserve_until = sent_at + LIFE_S
            self.spent = 0

    def settle(self) -> None:
        """Pays or refuses the waiting requests in order of arrival. A request keeps waiting if the reserve is too small
        for it, but the reserve and the bucket together may be enough.
        """
        claims, self.waiting = self.waiting, []
        for claim in claims:
            if claim.answer.done():
                continue
            if claim.cost <= self.reserve:
                self.pay(claim.cost)
                claim.answer.set_result(None)
            elif claim.cost > self.reserve + self.left:
                claim.answer.set_exception(self.refusal(claim.cost, self.left))
            else:
                self.waiting.append(claim)

    def refusal(self, cost: int, available: float) -> Exhausted:
        metrics.BUDGET_CHARGES.labels(self.payer.budget, "refused").inc()
        wait_s = (cost - min(self.reserve, 0) - available) / self.payer.rate
        return Exhausted(self.payer, self.allowance(cost, available), wait_s)

    def allowance(self, cost: int, available: float) -> Allowance:
        """Returns the allowance to report after a charge of `cost` points, if the bucket holds `available` points. Its
        `remaining` counts the points in the bucket and in the reserve of this process.
        """
        capacity = self.payer.capacity
        remaining = math.floor(max(0, min(capacity, min(capacity, available) + self.reserve)))
        return Allowance(cost, capacity, remaining, self.full_at_ms, self.payer.budget)


_Claimed = tuple[Account, Reservation]


class Budgets:
    """The budgets of all payers, as this process knows them. `now_ms` returns milliseconds since the Unix epoch;
    `clock` returns seconds and never goes back.

    A payer may spend on credit: up to `credit` points, but at most a tenth of the capacity of the payer's bucket. If
    Redis has answered about the bucket within the last LIFE_S seconds, the debt must not exceed the points that the
    bucket can still hold according to this answer.
    """

    def __init__(
        self, redis: Redis, now_ms: Callable[[], int], clock: Callable[[], float] = time.monotonic, *, credit: int = 0
    ) -> None:
        self._credit = credit
        self._redis = redis
        self._now_ms = now_ms
        self._clock = clock
        self._accounts: defaultdict[str, LRUCache[Payer, Account]] = defaultdict(lambda: LRUCache(_MOST_PAYERS))
        self._takings: set[asyncio.Task[None]] = set()

    def charge(self, charges: Sequence[Charge]) -> "Allowance | asyncio.Task[Allowance]":
        """Charges all payers of a request. Returns the allowance of one budget: the one that can pay for the fewest
        further requests of the same cost.

        Returns the allowance itself if no round trip is needed; otherwise a running task, which must be awaited. Raises
        BadInput for a cost that is higher than a full bucket. If a budget lacks points, this function or the task
        raises Exhausted.
        """
        if not charges:
            raise ValueError("a charge needs a payer")
        now = self._clock()
        accounts = [(self._account(payer, cost), cost) for payer, cost in charges]
        lacking = [(account, cost) for account, cost in accounts if not account.covers(cost, now)]
        for account, cost in lacking:
            if cost > account.reserve + (available := account.available(now)):
                raise account.refusal(cost, available)
        if lacking:
            claimed = [(account, self._queue(account, cost, now)) for account, cost in accounts]
            task = asyncio.ensure_future(_granted(claimed))
            task.add_done_callback(partial(_concluded, claimed))
            return task
        for account, cost in accounts:
            account.pay(cost)
            _paid_from_reserve(account.payer.budget).inc()
        return _tightest(accounts)

    def _account(self, payer: Payer, cost: int) -> Account:
        """Returns the account of a payer. Raises BadInput for a cost that is higher than a full bucket."""
        if cost < 1:
            raise ValueError("each cost is at least one point")
        if cost > payer.capacity:
            raise BadInput(
                f"This takes {cost} of the budget {payer.budget}, which never holds more than {payer.capacity}."
            )
        accounts = self._accounts[payer.budget]
        try:
            return accounts[payer]
        except KeyError:
            credit = min(self._credit, payer.capacity // _CREDIT_PARTS)
            account = accounts[payer] = Account(payer, credit, full_at_ms=self._now_ms())
        return account

    def _queue(self, account: Account, cost: int, now: float) -> Reservation:
        """Returns a reservation of `cost` points. The reservation is paid at once if the account covers it; otherwise
        it is added to the end of the account's queue. Requests are served in order, so one round trip can serve all
        requests that wait.
        """
        claim = Reservation(cost, asyncio.get_running_loop().create_future())
        if account.covers(cost, now):
            account.pay(cost)
            claim.answer.set_result(None)
            return claim
        account.waiting.append(claim)
        if not account.is_taking:
            account.is_taking = True
            task = asyncio.ensure_future(self._serve(account))
            self._takings.add(task)
            task.add_done_callback(self._takings.discard)
        return claim

    async def _serve(self, account: Account) -> None:
        """Takes points from an account's bucket, in Redis or the stand-in, until no request waits for them."""
        try:
            while account.waiting:
                now = self._clock()
                account.record(await self._take(account, *account.points_to_take(now)), now)
                account.settle()
        except Exception as error:  # noqa: BLE001 - the waiting requests raise it
            claims, account.waiting = account.waiting, []
            for claim in claims:
                if not claim.answer.done():
                    claim.answer.set_exception(error)
        finally:
            account.is_taking = False

    async def _take(self, account: Account, fewest: int, most: int) -> Taken:
        payer = account.payer
        key, bucket = keys.budget(payer.budget, payer.whose), (payer.capacity, payer.rate)
        try:
            points, left, now_ms = await self._redis.run(SPEND_BUDGET, [key], [*bucket, fewest, most])
        except RedisDown:
            metrics.BUDGET_CHARGES.labels(payer.budget, "stand-in").inc()
            now_ms = self._now_ms()
            account.stand_in = account.stand_in or TokenBucket(account.available(self._clock(), life=math.inf), now_ms)
            return account.stand_in.take(payer, fewest, most, now_ms)
        metrics.BUDGET_CHARGES.labels(payer.budget, "bucket").inc()
        return Taken(points, float(left), int(now_ms))


@cache
def _paid_from_reserve(budget: str) -> Counter:
    return metrics.BUDGET_CHARGES.labels(budget, "reserve")


def _tightest(accounts: Iterable[tuple[Account, int]]) -> Allowance:
    allowances = [account.allowance(cost, account.left) for account, cost in accounts]
    return min(allowances, key=lambda one: one.remaining / one.cost)


async def _granted(claimed: Sequence[_Claimed]) -> Allowance:
    """Waits for the reservations of a request, then returns the allowance that `Budgets.charge` describes. Raises
    Exhausted if a reservation was refused.
    """
    await asyncio.wait([claim.answer for _, claim in claimed])
    for _, claim in claimed:
        claim.answer.result()
    return _tightest((account, claim.cost) for account, claim in claimed)


def _concluded(claimed: Sequence[_Claimed], task: asyncio.Task[Allowance]) -> None:
    """Gives the points that were paid for a request back to their accounts if the request was refused or cancelled,
    even if it was cancelled before `task` had begun.
    """
    if not task.cancelled() and not task.exception():
        return
    for account, claim in claimed:
        if not claim.answer.cancel() and not claim.answer.exception():
            account.give_back(claim.cost)
