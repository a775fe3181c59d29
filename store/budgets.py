"""Rate budgets: a token bucket per payer in the cache Redis, from which processes take points ahead of need.

Enters: who pays, and a price. Leaves: an `Allowance`, or `Exhausted` with nothing spent. All payers pay, or none does.
Who has spent here within the last LIFE_S seconds is reserved points ahead: as many as they spent here since points were
last taken, at most a slice of the bucket. What the reserve covers costs no round trip, nor do small things on credit,
which the next points taken pay for; the rest costs one, which all payers of a request and all requests that wait for a
payer share.

Promised, for a bucket of `capacity` refilled with `rate` points a second, and any number of processes:
- Nothing is spent that was not taken out of the bucket at most LIFE_S (and a round trip) before, but for the credit of
  each process. So in any t seconds at most `capacity + rate * (t + LIFE_S)` is spent, and what is on credit.
- A reserve not spent within LIFE_S is lost: at most a slice in each process each time, and never more than was spent
  there before. Points taken for a request that gave up, or that another payer refused, join the reserve.
- A request waits for two round trips at most. Refusals that the bucket's last answer implies cost none.
- A bucket that Redis has evicted or lost is full again; one that failed over holds what the replica knew. While Redis
  does not answer, each process charges a stand-in of its own, of the same size.
"""

import asyncio
import time
from collections.abc import Callable, Sequence

from cachetools import LRUCache

import metrics
from errors import BadInput
from store import keys
from store.accounts import Account, Allowance, Bucket, Claim, Payer, Taken
from store.redis import Redis, RedisDown
from store.scripts import SPEND

_MOST_PAYERS = 50_000


class Budgets:
    """The budgets of all payers, as this process sees them. `clock` counts seconds and never goes back.

    A payer may owe as many points as `credit` says, unless their bucket is known not to hold them.
    """

    def __init__(
        self, redis: Redis, now_ms: Callable[[], int], clock: Callable[[], float] = time.monotonic, *, credit: int = 0
    ) -> None:
        self._credit = credit
        self._redis = redis
        self._now_ms = now_ms
        self._clock = clock
        self._accounts: LRUCache[Payer, Account] = LRUCache(_MOST_PAYERS)
        self._takings: set[asyncio.Task[None]] = set()

    async def spend(self, payers: Sequence[Payer], cost: int) -> Allowance:
        """Charges every payer, and tells what the one with the least has left.

        Raises Exhausted; BadInput for a cost that a budget could not hold if it were full.
        """
        claimed = self._claimed(payers, cost)
        return claimed if isinstance(claimed, Allowance) else await _granted(claimed, cost)

    def charge(self, payers: Sequence[Payer], cost: int) -> "Allowance | asyncio.Task[Allowance]":
        """The same, at once where that needs no round trip; else the trip is under way. Its task must be awaited."""
        claimed = self._claimed(payers, cost)
        if isinstance(claimed, Allowance):
            return claimed
        task = asyncio.ensure_future(_granted(claimed, cost))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # whoever asked may have gone
        return task

    def _claimed(self, payers: Sequence[Payer], cost: int) -> Allowance | list[tuple[Account, Claim]]:
        """What is left where everything is paid, or what to wait for."""
        if cost < 1 or not payers:
            raise ValueError("whatever is done costs somebody at least a point")
        now = self._clock()
        accounts = [self._account(payer, cost, now) for payer in payers]
        if not all(account.covers(cost, now) for account in accounts):
            return [(account, self._queue(account, cost, now)) for account in accounts]
        for account in accounts:
            account.pay(cost)
            metrics.BUDGETS.labels(account.payer.budget, "reserve").inc()
        return _tightest(accounts, cost)

    def _account(self, payer: Payer, cost: int, now: float) -> Account:
        """Raises BadInput and Exhausted for what is known to be in vain."""
        if cost > payer.capacity:
            raise BadInput(
                f"This costs {cost} points; the budget {payer.budget} never holds more than {payer.capacity}."
            )
        account = self._accounts.get(payer)
        if account is None:
            credit = min(self._credit, payer.capacity)
            account = self._accounts[payer] = Account(payer, credit, full_at_ms=self._now_ms())
        there = account.there(now)
        if not account.covers(cost, now) and cost > account.reserve + there:
            raise account.refusal(cost, there)
        return account

    def _queue(self, account: Account, cost: int, now: float) -> Claim:
        """Nobody overtakes: what one taking brings is then enough for all who were there before it."""
        claim = Claim(cost, asyncio.get_running_loop().create_future())
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
        """Takes points until nobody waits."""
        try:
            while account.waiting:
                now = self._clock()
                account.heard(await self._take(account, *account.wish(now)), now)
                account.settle()
        except Exception as error:  # noqa: BLE001 - those who wait raise it
            while account.waiting:
                if not (claim := account.waiting.popleft()).answer.done():
                    claim.answer.set_exception(error)
        finally:
            account.is_taking = False

    async def _take(self, account: Account, fewest: int, most: int) -> Taken:
        payer = account.payer
        key, bucket = keys.budget(payer.budget, payer.whose), (payer.capacity, payer.rate)
        try:
            points, left, now_ms = await self._redis.run(SPEND, [key], [*bucket, fewest, most])
        except RedisDown:
            metrics.BUDGETS.labels(payer.budget, "stand-in").inc()
            now_ms = self._now_ms()
            account.stand_in = account.stand_in or Bucket(payer.capacity, now_ms)
            return account.stand_in.take(payer, fewest, most, now_ms)
        metrics.BUDGETS.labels(payer.budget, "bucket").inc()
        return Taken(points, float(left), int(now_ms))


def _tightest(accounts: Sequence[Account], cost: int) -> Allowance:
    return min((account.allowance(cost) for account in accounts), key=lambda allowance: allowance.remaining)


async def _granted(claims: Sequence[tuple[Account, Claim]], cost: int) -> Allowance:
    """Waits for all of them; where one is refused, or whoever waits gives up, the others are given back."""
    try:
        await asyncio.wait([claim.answer for _, claim in claims])
        for _, claim in claims:
            claim.answer.result()
    except BaseException:
        for account, claim in claims:
            if not claim.answer.cancel() and not claim.answer.exception():
                account.give_back(cost)
        raise
    return _tightest([account for account, _ in claims], cost)
