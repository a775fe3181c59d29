"""Rate budgets: a token bucket per payer in the cache Redis, from which processes take points ahead of need.

Enters: who pays what. Leaves: an `Allowance`, or `Exhausted` with nothing spent. All payers pay, or none does.
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
  does not answer, each process charges a stand-in of its own, of the same size, which begins with no more than the
  bucket had by its last answer. It is kept from one outage to the next: in all those of any t seconds, a process
  spends at most `capacity + rate * (t + LIFE_S)` by it.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from cachetools import LRUCache

from domain.errors import BadInput
from observability import metrics
from store import keys
from store.budgets.reservations import Account, Allowance, Charge, Payer, Reservation, Taken, TokenBucket
from store.redis.client import Redis, RedisDown
from store.scripts import SPEND

_MOST_PAYERS = 10_000
"""Of each budget: who can invent payers of one, devices say, pushes nobody out of the others."""
_CREDIT_PARTS = 10
"""No process lends more than this part of a bucket."""

_Claimed = tuple[Account, Reservation]


class Budgets:
    """The budgets of all payers, as this process sees them. `clock` counts seconds and never goes back.

    A payer may owe as many points as `credit` says, a tenth of their bucket at most, unless that is known not to hold
    them.
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
        """Charges everybody, and tells what is left where the fewest of such requests can still be paid.

        At once where that needs no round trip; else the trip is under way, and its task must be awaited. Raises, or its
        task does, Exhausted; BadInput for a cost that a budget could not hold if it were full.
        """
        claimed = self._claimed(charges)
        if isinstance(claimed, Allowance):
            return claimed
        task = asyncio.ensure_future(_granted(claimed))
        task.add_done_callback(partial(_concluded, claimed))
        return task

    def _claimed(self, charges: Sequence[Charge]) -> "Allowance | list[_Claimed]":
        """What is left where everything is paid, or what to wait for."""
        if not charges or any(cost < 1 for _, cost in charges):
            raise ValueError("whatever is done costs somebody at least a point")
        now = self._clock()
        accounts = [(self._account(payer, cost), cost) for payer, cost in charges]
        lacking = [(account, cost) for account, cost in accounts if not account.covers(cost, now)]
        for account, cost in lacking:
            if cost > account.reserve + (there := account.there(now)):
                raise account.refusal(cost, there)
        if lacking:
            return [(account, self._queue(account, cost, now)) for account, cost in accounts]
        for account, cost in accounts:
            account.pay(cost)
            metrics.BUDGET_CHARGES.labels(account.payer.budget, "reserve").inc()
        return _tightest(accounts)

    def _account(self, payer: Payer, cost: int) -> Account:
        """Raises BadInput for what could never be paid."""
        if cost > payer.capacity:
            raise BadInput(
                f"This takes {cost} of the budget {payer.budget}, which never holds more than {payer.capacity}."
            )
        accounts = self._accounts[payer.budget]
        account = accounts.get(payer)
        if account is None:
            credit = min(self._credit, payer.capacity // _CREDIT_PARTS)
            account = accounts[payer] = Account(payer, credit, full_at_ms=self._now_ms())
        return account

    def _queue(self, account: Account, cost: int, now: float) -> Reservation:
        """Nobody overtakes: what one taking brings is then enough for all who were there before it."""
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
        """Takes points until nobody waits."""
        try:
            while account.waiting:
                now = self._clock()
                account.heard(await self._take(account, *account.wish(now)), now)
                account.settle()
        except Exception as error:  # noqa: BLE001 - those who wait raise it
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
            points, left, now_ms = await self._redis.run(SPEND, [key], [*bucket, fewest, most])
        except RedisDown:
            metrics.BUDGET_CHARGES.labels(payer.budget, "stand-in").inc()
            now_ms = self._now_ms()
            account.stand_in = account.stand_in or TokenBucket(account.most(self._clock()), now_ms)
            return account.stand_in.take(payer, fewest, most, now_ms)
        metrics.BUDGET_CHARGES.labels(payer.budget, "bucket").inc()
        return Taken(points, float(left), int(now_ms))


def _tightest(accounts: Iterable[tuple[Account, int]]) -> Allowance:
    account, cost = min(accounts, key=lambda one: one[0].remaining(one[0].left) / one[1])
    return account.allowance(cost, account.left)


async def _granted(claimed: Sequence[_Claimed]) -> Allowance:
    """Waits for all of them."""
    await asyncio.wait([claim.answer for _, claim in claimed])
    for _, claim in claimed:
        claim.answer.result()
    return _tightest((account, claim.cost) for account, claim in claimed)


def _concluded(claimed: Sequence[_Claimed], task: asyncio.Task[Allowance]) -> None:
    """Where one was refused, or whoever asked gave up, even before the task began, the others are given back."""
    if not task.cancelled() and not task.exception():
        return
    for account, claim in claimed:
        if not claim.answer.cancel() and not claim.answer.exception():
            account.give_back(claim.cost)
