"""A payer of rate budgets as one process knows them: what it has reserved, owes, and last heard of their bucket."""

import asyncio
import math
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from domain.errors import RateLimited
from models.base import at
from observability import metrics

LIFE_S = 5.0
"""How long points lie in a process, and how long it goes by what it last heard of a bucket."""
SLICES = 20
"""No process reserves more than this part of a bucket ahead of need."""


@dataclass(frozen=True, slots=True)
class Payer:
    """Whose bucket: one of a kind of `budget`, of `capacity` points, refilled with `rate` points a second."""

    budget: str
    whose: str
    capacity: int
    rate: float


class Charge(NamedTuple):
    """What a payer is to pay."""

    payer: Payer
    cost: int


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a request cost, and what `budget` has left of `limit` points. At `reset_at_ms` the bucket will be full."""

    cost: int
    limit: int
    remaining: int
    reset_at_ms: int
    budget: str

    @property
    def reset_at(self) -> datetime:
        return at(self.reset_at_ms)


class Exhausted(RateLimited):
    """A budget does not hold what a request costs. `retry_after` seconds later it does, if nobody else spends of it."""

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
    """What a bucket gave, what is left in it, and its clock."""

    points: int
    left: float
    now_ms: int


@dataclass(slots=True)
class TokenBucket:
    """The arithmetic of spend.lua, for when Redis does not answer."""

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
    """A request waiting for points."""

    cost: int
    answer: "asyncio.Future[None]"


@dataclass(slots=True)
class Account:
    """A payer as this process knows them: the reserve, what the bucket last said, and who waits for it."""

    payer: Payer
    credit: int
    reserve: int = 0
    """Negative for what was spent on credit."""
    reserve_until: float = -math.inf
    left: float = math.inf
    left_at: float = -math.inf
    full_at_ms: int = 0
    """When the bucket is full again, by what it last said; nothing says that one never asked is not."""
    spent: int = 0
    """Since points were last taken."""
    waiting: list[Reservation] = field(default_factory=list)
    is_taking: bool = False
    stand_in: TokenBucket | None = None

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
        return math.inf if now - self.left_at > LIFE_S else self.most(now)

    def most(self, now: float) -> float:
        """The same, however long ago that is: all that others may have done is spend."""
        return min(self.payer.capacity, self.left + max(0.0, now - self.left_at) * self.payer.rate)

    def wish(self, now: float) -> tuple[int, int]:
        """How many points are worth taking: enough for the cheapest that waits; at most for all, and a reserve."""
        costs = [claim.cost for claim in self.waiting]
        ahead = min(self.payer.capacity // SLICES, self.spent) if now - self.left_at <= LIFE_S else 0
        fewest = max(1, min(costs) - self.reserve)
        if fewest > self.payer.capacity:  # so much is never there: first what is owed
            return -self.reserve, -self.reserve
        return fewest, min(self.payer.capacity, max(fewest, sum(costs) + ahead - self.reserve))

    def heard(self, taken: Taken, asked_at: float) -> None:
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

    def refusal(self, cost: int, there: float) -> Exhausted:
        metrics.BUDGET_CHARGES.labels(self.payer.budget, "refused").inc()
        wait_s = (cost - min(self.reserve, 0) - there) / self.payer.rate
        return Exhausted(self.payer, self.allowance(cost, there), wait_s)

    def allowance(self, cost: int, there: float) -> Allowance:
        return Allowance(cost, self.payer.capacity, self.remaining(there), self.full_at_ms, self.payer.budget)

    def remaining(self, there: float) -> int:
        """What can still be spent here where so much is in the bucket."""
        capacity = self.payer.capacity
        return math.floor(max(0, min(capacity, min(capacity, there) + self.reserve)))
