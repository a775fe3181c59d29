"""Defines the charges of a request and what budgets answer to them. `budgets.py` computes the answers."""

import math
from datetime import datetime
from typing import NamedTuple

from domain.errors import RateLimited
from models.base import at


class Payer(NamedTuple):
    """The owner of a token bucket, and the properties of the bucket. `budget` is the name of the budget, such as `ip`,
    and `whose` identifies the owner within this budget, such as an IP address. The bucket holds up to `capacity` points
    and is refilled with `rate` points a second.
    """

    budget: str
    whose: str
    capacity: int
    rate: float


class Charge(NamedTuple):
    """A payer, and the number of points (`cost`) that it is to pay."""

    payer: Payer
    cost: int


class Allowance(NamedTuple):
    """The cost of a request in points, and the budget that paid it: its bucket holds `limit` points, has `remaining`
    points left, and is full again at `reset_at_ms`, in milliseconds since the Unix epoch.
    """

    cost: int
    limit: int
    remaining: int
    reset_at_ms: int
    budget: str

    @property
    def reset_at(self) -> datetime:
        """Returns when the bucket is full again."""
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
