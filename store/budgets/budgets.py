"""Rate budgets: a token bucket per payer in the cache Redis. Processes reserve points from it in advance.

Input: charges, each a payer and a cost. Output: an `Allowance`, or `Exhausted`. Either all payers of a request pay, or
none does.

When a process takes points of a bucket and the bucket's last answer is at most LIFE_S seconds old, it reserves points
in advance: as many as the payer has spent in this process since points were last taken, at most a slice of the bucket
(one twentieth). A charge that the reserve covers costs no round trip. Nor does a small charge on credit, which is
settled when points are next taken. Any other charge costs one round trip, shared by all payers of a request and all
requests that wait for the same payer.

Guarantees, for a bucket of `capacity` points, refilled with `rate` points a second, and any number of processes:

- Apart from the credit of each process, all points that are spent were taken out of the bucket at most LIFE_S (and a
  round trip) before. So in any t seconds at most `capacity + rate * (t + LIFE_S)` points are spent, plus the credit.
- Reserved points that are not spent within LIFE_S are lost: at most one slice per process each time, and never more
  than this process spent before. Points that were taken for a request that was cancelled, or that was refused because
  another payer lacks points, join the reserve.
- A request waits for at most two round trips. If the bucket's last answer shows that it lacks the points, the request
  is refused without a round trip.
- A bucket that Redis has evicted or lost is full again. After a failover it holds what the replica knew. While Redis
  does not answer, each process charges a local stand-in bucket of the same size, which begins with no more points than
  the bucket had in its last answer. The stand-in is kept from one outage to the next. During the outages within any t
  seconds, a process spends at most `capacity + rate * (t + LIFE_S)` points from it.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from cachetools import LRUCache
from prometheus_client import Counter

from domain.errors import BadInput
from observability import metrics
from store import keys
from store.budgets.reservations import Account, Allowance, Charge, Payer, Reservation, Taken, TokenBucket
from store.redis.client import Redis, RedisDown
from store.scripts import SPEND_BUDGET

_MOST_PAYERS = 10_000
"""The number of payers kept for each budget. Budgets are separate, so a client that invents payers of one, such as
devices, evicts none of another.
"""
_CREDIT_PARTS = 10
"""A process lends at most this part of a bucket: one tenth."""

_Claimed = tuple[Account, Reservation]


class Budgets:
    """The budgets of all payers, as this process knows them. `clock` returns seconds and never goes back.

    A payer may owe up to `credit` points, at most a tenth of the bucket, unless the last answer of Redis shows that the
    bucket lacks these points.
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
        """Charges all payers of a request. Returns the allowance of the budget that can pay for the fewest further such
        requests.

        Returns the allowance itself if no round trip is needed; otherwise a running task, which must be awaited. Raises
        BadInput for a cost that is higher than a full bucket. If a budget lacks points, this function or the task
        raises Exhausted.
        """
        claimed = self._claimed(charges)
        if isinstance(claimed, Allowance):
            return claimed
        task = asyncio.ensure_future(_granted(claimed))
        task.add_done_callback(partial(_concluded, claimed))
        return task

    def _claimed(self, charges: Sequence[Charge]) -> "Allowance | list[_Claimed]":
        """Pays all charges from points that this process has, and returns the allowance. If these points do not
        suffice, returns the reservations to wait for. Raises Exhausted if a bucket is known to have too few points.
        """
        if not charges or any(cost < 1 for _, cost in charges):
            raise ValueError("a charge needs a payer, and each cost is at least one point")
        now = self._clock()
        accounts = [(self._account(payer, cost), cost) for payer, cost in charges]
        lacking = [(account, cost) for account, cost in accounts if not account.covers(cost, now)]
        for account, cost in lacking:
            if cost > account.reserve + (available := account.available(now)):
                raise account.refusal(cost, available)
        if lacking:
            return [(account, self._queue(account, cost, now)) for account, cost in accounts]
        for account, cost in accounts:
            account.pay(cost)
            _paid_from_reserve(account.payer.budget).inc()
        return _tightest(accounts)

    def _account(self, payer: Payer, cost: int) -> Account:
        """Returns the account of a payer. Raises BadInput for a cost that is higher than a full bucket."""
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
        it is added to the end of the account's queue. No request overtakes another, so one round trip can serve all
        that wait.
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
        """Takes points of an account's bucket from Redis until no request waits for them."""
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
            account.stand_in = account.stand_in or TokenBucket(account.upper_bound(self._clock()), now_ms)
            return account.stand_in.take(payer, fewest, most, now_ms)
        metrics.BUDGET_CHARGES.labels(payer.budget, "bucket").inc()
        return Taken(points, float(left), int(now_ms))


@cache
def _paid_from_reserve(budget: str) -> Counter:
    return metrics.BUDGET_CHARGES.labels(budget, "reserve")


def _tightest(accounts: Iterable[tuple[Account, int]]) -> Allowance:
    account, cost = min(accounts, key=lambda one: one[0].remaining(one[0].left) / one[1])
    return account.allowance(cost, account.left)


async def _granted(claimed: Sequence[_Claimed]) -> Allowance:
    """Waits for the reservations of a request, then returns its allowance. Raises Exhausted if one of them was
    refused.
    """
    await asyncio.wait([claim.answer for _, claim in claimed])
    for _, claim in claimed:
        claim.answer.result()
    return _tightest((account, claim.cost) for account, claim in claimed)


def _concluded(claimed: Sequence[_Claimed], task: asyncio.Task[Allowance]) -> None:
    """Gives the points that were reserved for a request back to their accounts if the request was refused or cancelled.
    It may be cancelled even before its task has begun.
    """
    if not task.cancelled() and not task.exception():
        return
    for account, claim in claimed:
        if not claim.answer.cancel() and not claim.answer.exception():
            account.give_back(claim.cost)
