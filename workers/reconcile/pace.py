"""How many keys a run compares per second, and how long it takes."""

import time
from collections.abc import Collection
from dataclasses import dataclass, field

from state import State
from store.backoff import rest
from store.reconcile.sizes import keys_in, rows_of_parts

LONGEST_HOURS = 20.0
"""Hours in which workers compare all keys, if necessary with more keys per second than the settings say: less than a
day, so that daily runs do not last until the next one.
"""


@dataclass(slots=True)
class Pace:
    """The speed of a run: the estimated number of its keys, the most keys per second (None: no limit), and how many it
    has compared.
    """

    expected: int
    rate: float | None
    compared: int = 0
    began: float = field(default_factory=time.monotonic)
    _batch_began: float = field(default_factory=time.monotonic)

    @property
    def expected_seconds(self) -> float | None:
        """Returns how many seconds the run takes at its rate; None if it has no limit."""
        return self.expected / self.rate if self.rate else None

    @property
    def seconds_left(self) -> float | None:
        """Returns in how many seconds the run ends if it goes on as it did; None before it has compared anything."""
        if not self.compared:
            return None
        return max(0, self.expected - self.compared) * (time.monotonic() - self.began) / self.compared

    async def rest_after(self, keys: int) -> None:
        """Counts a batch of keys, and sleeps for the rest of the time that the rate gives to it."""
        self.compared += keys
        if self.rate:
            await rest(max(0.0, keys / self.rate - (time.monotonic() - self._batch_began)))
        self._batch_began = time.monotonic()


async def estimate(state: State, parts: Collection[str]) -> int:
    """Estimates how many keys these parts compare: rows in Postgres, and keys in Redis."""
    caches = await keys_in(state.cache.redis) if "caches" in parts else 0
    sets = await keys_in(state.redis) if "sets" in parts else 0
    return await rows_of_parts(state.postgres, parts) + caches + sets
