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
import math
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from cachetools import LRUCache

import metrics
from errors import BadInput, RateLimited
from store import keys
from store.redis import Redis, RedisDown
from store.scripts import SPEND

LIFE_S = 5.0
"""How long points lie in a process, and how long it goes by what it last heard of a bucket."""
SLICES = 20
"""No process reserves more than this part of a bucket ahead of need."""
_MOST_PAYERS = 50_000


@dataclass(frozen=True, slots=True)
class Payer:
    """Whose bucket: one of a kind of `budget`, of `capacity` points, refilled with `rate` points a second."""

    budget: str
    whose: str
    capacity: int
    rate: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a request cost, and what its payer has left of `limit` points. At `reset_at_ms` the bucket will be full."""

    cost: int
    limit: int
    remaining: int
    reset_at_ms: int

    @property
    def reset_at(self) -> datetime:
        return datetime.fromtimestamp(self.reset_at_ms / 1000, UTC)


class Exhausted(RateLimited):
    """A budget does not hold what a request costs. `retry_after` seconds later it does, if nobody else spends of it."""

    def __init__(self, payer: Payer, allowance: Allowance, wait_s: float) -> None:
        super().__init__(
            f"This costs {allowance.cost} points, and the budget {payer.budget} has {allowance.remaining} left.",
            retry_after=float(math.ceil(wait_s)),
        )
        self.payer = payer
        self.allowance = allowance


class _Taken(NamedTuple):
    """What a bucket gave, what is left in it, and its clock."""

    points: int
    left: float
    now_ms: int


@dataclass(slots=True)
class _Bucket:
    """The arithmetic of spend.lua, for when Redis does not answer."""

    left: float
    since_ms: int

    def take(self, payer: Payer, fewest: int, most: int, now_ms: int) -> _Taken:
        refilled = max(0, now_ms - self.since_ms) * payer.rate / 1000
        self.left, self.since_ms = min(payer.capacity, self.left + refilled), now_ms
        points = min(most, math.floor(self.left))
        points = 0 if points < fewest else points
        self.left -= points
        return _Taken(points, self.left, now_ms)


@dataclass(slots=True)
class _Claim:
    """A request waiting for points."""

    cost: int
    answer: "asyncio.Future[None]"


@dataclass(slots=True)
class _Account:
    """A payer as this process knows them: the reserve, what the bucket last said, and who waits for it."""

    payer: Payer
    credit: int
    reserve: int = 0
    """Negative for what was spent on credit."""
    reserve_until: float = -math.inf
    left: float = math.inf
    left_at: float = -math.inf
    full_at_ms: int = 0
    spent: int = 0
    """Since points were last taken."""
    waiting: deque[_Claim] = field(default_factory=deque)
    is_taking: bool = False
    stand_in: _Bucket | None = None

    def covers(self, cost: int, now: float) -> bool:
        """Whether the reserve or the credit is enough, and nobody waits for it."""
        if self.waiting:
            return False
        if now > self.reserve_until:
            self.reserve = min(self.reserve, 0)  # debts stay
        lacking = cost - self.reserve
        return lacking <= 0 or lacking <= min(self.credit, self.there(now))

    def pay(self, cost: int) -> None:
        self.reserve -= cost
        self.spent += cost

    def give_back(self, cost: int) -> None:
        self.reserve += cost
        self.spent = max(0, self.spent - cost)

    def there(self, now: float) -> float:
        """The most that may be in the bucket, going by its last answer; infinite where that is too long ago."""
        if now - self.left_at > LIFE_S:
            return math.inf
        return min(self.payer.capacity, self.left + (now - self.left_at) * self.payer.rate)

    def wish(self, now: float) -> tuple[int, int]:
        """How many points are worth taking: enough for the cheapest that waits; at most for all, and a reserve."""
        costs = [claim.cost for claim in self.waiting]
        ahead = min(self.payer.capacity // SLICES, self.spent) if now - self.left_at <= LIFE_S else 0
        fewest = max(1, min(costs) - self.reserve)
        if fewest > self.payer.capacity:  # so much is never there: first what is owed
            return -self.reserve, -self.reserve
        return fewest, min(self.payer.capacity, max(fewest, sum(costs) + ahead - self.reserve))

    def heard(self, taken: _Taken, asked_at: float) -> None:
        """Takes in a bucket's answer to what was asked then."""
        self.left, self.left_at = taken.left, asked_at
        lacking = self.payer.capacity - taken.left
        self.full_at_ms = taken.now_ms + math.ceil(lacking / self.payer.rate * 1000)
        if taken.points:
            self.reserve += taken.points
            self.reserve_until = asked_at + LIFE_S
            self.spent = 0

    def settle(self) -> None:
        """Answers those who wait, first come first served; who could be served by asking once more goes on waiting."""
        for _ in range(len(self.waiting)):
            claim = self.waiting.popleft()
            if claim.answer.done():
                continue
            if claim.cost <= self.reserve:
                self.pay(claim.cost)
                claim.answer.set_result(None)
            elif claim.cost > self.reserve + self.left:
                claim.answer.set_exception(self.refusal(claim.cost, self.left))
            else:
                self.waiting.append(claim)

    def allowance(self, cost: int) -> Allowance:
        return self._with(cost, self.left)

    def refusal(self, cost: int, there: float) -> Exhausted:
        metrics.BUDGETS.labels(self.payer.budget, "refused").inc()
        return Exhausted(self.payer, self._with(cost, there), (cost - min(self.reserve, 0) - there) / self.payer.rate)

    def _with(self, cost: int, there: float) -> Allowance:
        capacity = self.payer.capacity
        remaining = math.floor(max(0, min(capacity, min(capacity, there) + self.reserve)))
        return Allowance(cost, capacity, remaining, self.full_at_ms)


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
        self._accounts: LRUCache[Payer, _Account] = LRUCache(_MOST_PAYERS)
        self._takings: set[asyncio.Task[None]] = set()

    async def spend(self, payers: Sequence[Payer], cost: int) -> Allowance:
        """Charges every payer, and tells what the one with the least has left.

        Raises Exhausted; BadInput for a cost that a budget could not hold if it were full.
        """
        charging = self.charge(payers, cost)
        return charging if isinstance(charging, Allowance) else await charging

    def charge(self, payers: Sequence[Payer], cost: int) -> "Allowance | asyncio.Task[Allowance]":
        """The same, at once where that needs no round trip; else the trip is under way. Its task must be awaited."""
        if cost < 1 or not payers:
            raise ValueError("whatever is done costs somebody at least a point")
        now = self._clock()
        accounts = [self._account(payer, cost, now) for payer in payers]
        if not all(account.covers(cost, now) for account in accounts):
            claims = [(account, self._queue(account, cost, now)) for account in accounts]
            task = asyncio.ensure_future(_granted(claims, cost))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())  # whoever asked may have gone
            return task
        for account in accounts:
            account.pay(cost)
            metrics.BUDGETS.labels(account.payer.budget, "reserve").inc()
        return _tightest(accounts, cost)

    def _account(self, payer: Payer, cost: int, now: float) -> _Account:
        """Raises BadInput and Exhausted for what is known to be in vain."""
        if cost > payer.capacity:
            raise BadInput(
                f"This costs {cost} points; the budget {payer.budget} never holds more than {payer.capacity}."
            )
        account = self._accounts.get(payer)
        if account is None:
            account = self._accounts[payer] = _Account(payer, min(self._credit, payer.capacity))
        there = account.there(now)
        if not account.covers(cost, now) and cost > account.reserve + there:
            raise account.refusal(cost, there)
        return account

    def _queue(self, account: _Account, cost: int, now: float) -> _Claim:
        """Nobody overtakes: what one taking brings is then enough for all who were there before it."""
        claim = _Claim(cost, asyncio.get_running_loop().create_future())
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

    async def _serve(self, account: _Account) -> None:
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

    async def _take(self, account: _Account, fewest: int, most: int) -> _Taken:
        payer = account.payer
        key, bucket = keys.budget(payer.budget, payer.whose), (payer.capacity, payer.rate)
        try:
            points, left, now_ms = await self._redis.run(SPEND, [key], [*bucket, fewest, most])
        except RedisDown:
            metrics.BUDGETS.labels(payer.budget, "stand-in").inc()
            now_ms = self._now_ms()
            account.stand_in = account.stand_in or _Bucket(payer.capacity, now_ms)
            return account.stand_in.take(payer, fewest, most, now_ms)
        metrics.BUDGETS.labels(payer.budget, "bucket").inc()
        return _Taken(points, float(left), int(now_ms))


def _tightest(accounts: Sequence[_Account], cost: int) -> Allowance:
    return min((account.allowance(cost) for account in accounts), key=lambda allowance: allowance.remaining)


async def _granted(claims: Sequence[tuple[_Account, _Claim]], cost: int) -> Allowance:
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
