"""Reserved points: a process takes points of a payer's token bucket in advance, so that most charges need no Redis.

For each payer, the process keeps the reserved points, the points that are still owed, and the last answer of Redis.
"""

import asyncio
import math
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from domain.errors import RateLimited
from models.base import at
from observability import metrics

LIFE_S = 5.0
"""How many seconds reserved points may be spent, and for how many seconds a bucket's last answer is relied on."""
SLICES = 20
"""A process reserves at most one twentieth of a bucket in advance."""


class Payer(NamedTuple):
    """The owner of a bucket, identified by `whose`, and the properties of the bucket. `budget` is the name of the
    budget. The bucket holds `capacity` points and is refilled with `rate` points a second.
    """

    budget: str
    whose: str
    capacity: int
    rate: float


class Charge(NamedTuple):
    """A payer, and the number of points (`cost`) that it is to pay."""

    payer: Payer
    cost: int


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a request cost, and how many points of `limit` are left in the budget that paid. The budget's bucket is full
    again at `reset_at_ms`, in milliseconds since the Unix epoch.
    """

    cost: int
    limit: int
    remaining: int
    reset_at_ms: int
    budget: str

    @property
    def reset_at(self) -> datetime:
        return at(self.reset_at_ms)


class Exhausted(RateLimited):
    """Raised when a budget has fewer points than a request costs. If nothing else is spent, the budget has enough
    points after `retry_after` seconds.
    """

    def __init__(self, payer: Payer, allowance: Allowance, wait_s: float) -> None:
        super().__init__(
            f"This takes {allowance.cost} of the budget {payer.budget}, which has {allowance.remaining} left.",
            retry_after=float(math.ceil(wait_s)),
        )
        self.payer = payer
        self.allowance = allowance

    @property
    def extensions(self) -> dict[str, object]:
        return {**super().extensions, "budget": self.payer.budget}


class Taken(NamedTuple):
    """The answer of Redis, or of a local stand-in, about a bucket: the points that were taken, the points left, and the
    time of the answer in milliseconds since the Unix epoch.
    """

    points: int
    left: float
    now_ms: int


@dataclass(slots=True)
class TokenBucket:
    """A token bucket in this process, computed as in spend_budget.lua. It is used while Redis does not answer."""

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
    """The points that a request needs from one payer. `answer` is done when the points are paid or refused."""

    cost: int
    answer: "asyncio.Future[None]"


@dataclass(slots=True)
class Account:
    """A payer as this process knows it: the points in reserve, the last answer of Redis about the bucket, and the
    requests that wait for points.
    """

    payer: Payer
    credit: int
    reserve: int = 0
    """Reserved points. A negative value is the debt from spending on credit."""
    reserve_until: float = -math.inf
    left: float = math.inf
    left_at: float = -math.inf
    full_at_ms: int = 0
    """When the bucket will be full again, in milliseconds since the Unix epoch, according to its last answer. A new
    account begins with the current time.
    """
    spent: int = 0
    """Points spent since points were last taken."""
    waiting: list[Reservation] = field(default_factory=list)
    is_taking: bool = False
    stand_in: TokenBucket | None = None

    def covers(self, cost: int, now: float) -> bool:
        """Returns whether `cost` can be paid at once: no request waits, and the points in reserve or the credit are
        enough.
        """
        if self.waiting:
            return False
        if now > self.reserve_until:
            self.reserve = min(self.reserve, 0)  # a debt does not expire
        lacking = cost - self.reserve
        return lacking <= 0 or lacking <= min(self.credit, self.available(now))

    def pay(self, cost: int) -> None:
        self.reserve -= cost
        self.spent += cost

    def give_back(self, cost: int) -> None:
        self.reserve += cost
        self.spent = max(0, self.spent - cost)

    def available(self, now: float) -> float:
        """Returns the most points that the bucket may hold, according to the last answer of Redis; infinity if that
        answer is older than LIFE_S.
        """
        return math.inf if now - self.left_at > LIFE_S else self.upper_bound(now)

    def upper_bound(self, now: float) -> float:
        """Returns the most points that the bucket may hold, however old the last answer of Redis is. Other processes
        can only have spent some.
        """
        return min(self.payer.capacity, self.left + max(0.0, now - self.left_at) * self.payer.rate)

    def points_to_take(self, now: float) -> tuple[int, int]:
        """Returns the least and the greatest number of points to take from the bucket: enough for the cheapest waiting
        request; enough for all waiting requests and a new reserve.
        """
        costs = [claim.cost for claim in self.waiting]
        ahead = min(self.payer.capacity // SLICES, self.spent) if now - self.left_at <= LIFE_S else 0
        fewest = max(1, min(costs) - self.reserve)
        if fewest > self.payer.capacity:  # more than a bucket can hold: pay the debt first
            return -self.reserve, -self.reserve
        return fewest, min(self.payer.capacity, max(fewest, sum(costs) + ahead - self.reserve))

    def record(self, taken: Taken, sent_at: float) -> None:
        """Stores the answer about the bucket, and adds its points to the reserve. `sent_at` is when the
        request was sent, in seconds of the clock of `Budgets`.
        """
        self.left, self.left_at = taken.left, sent_at
        lacking = self.payer.capacity - taken.left
        self.full_at_ms = taken.now_ms + math.ceil(lacking / self.payer.rate * 1000)
        if taken.points:
            self.reserve += taken.points
            self.reserve_until = sent_at + LIFE_S
            self.spent = 0

    def settle(self) -> None:
        """Pays or refuses the waiting requests in order of arrival. A request keeps waiting if the reserve lacks points
        that the bucket may still hold.
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
        return Allowance(cost, self.payer.capacity, self.remaining(available), self.full_at_ms, self.payer.budget)

    def remaining(self, available: float) -> int:
        """Returns how many points this process can still spend if the bucket holds `available` points."""
        capacity = self.payer.capacity
        return math.floor(max(0, min(capacity, min(capacity, available) + self.reserve)))
