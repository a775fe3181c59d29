"""How many keys a reconciliation run compares per second, and how long it takes."""

import time
from collections.abc import Collection
from dataclasses import dataclass, field

from state import State
from store.backoff import rest
from store.reconcile.sizes import keys_in, rows_of_parts

LONGEST_HOURS = 20.0
"""The most hours in which workers compare all keys. If necessary, they compare more keys per second than the settings
say. Less than a day, so that daily runs do not last until the next one.
"""


@dataclass(slots=True)
class Pace:
    """The speed of a reconciliation run: the estimated number of its keys, the most keys per second (None: no limit),
    and how many keys it has compared.
    """

    expected: int
    rate: float | None
    compared: int = 0
    began: float = field(default_factory=time.monotonic)
    _batch_began: float = field(default_factory=time.monotonic)

    @property
    def expected_seconds(self) -> float | None:
        """Returns how many seconds the whole run takes at its limit of keys per second; None if it has no limit."""
        return self.expected / self.rate if self.rate else None

    @property
    def seconds_left(self) -> float | None:
        """Returns how many seconds remain if the run goes on at its present speed; None before it has compared
        anything.
        """
        if not self.compared:
            return None
        return max(0, self.expected - self.compared) * (time.monotonic() - self.began) / self.compared

    async def rest_after(self, keys: int) -> None:
        """Counts a batch of this many compared keys. Then sleeps until the limit of keys per second allows the next
        batch.
        """
        self.compared += keys
        if self.rate:
            await rest(max(0.0, keys / self.rate - (time.monotonic() - self._batch_began)))
        self._batch_began = time.monotonic()


async def estimate(state: State, parts: Collection[str]) -> int:
    """Returns an estimate of how many keys these parts of a run compare: rows in Postgres, and keys in Redis."""
    caches = await keys_in(state.cache.redis) if "caches" in parts else 0
    sets = await keys_in(state.redis) if "sets" in parts else 0
    return await rows_of_parts(state.postgres, parts) + caches + sets
