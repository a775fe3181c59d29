"""A process's own copies of what it is asked for most, for a moment (D6, F8).

Input: the names of cached values, a page of them at a time. Output: values that are the same for all viewers.

A copy is good for `seconds` after it was *asked* for, however late the answer came. It is dropped when this process
changes the value (`Cache.fence`), and when a new generation begins (`WriteModes`). Only hot keys have copies. Loaders
apply the viewer's own pending changes to a copy as they do to a cached value.
"""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from observability import metrics
from store.cache.heavy_hitters import HeavyHitters

ONE_IN = 8
"""So many names are counted, at random: counting all of a page of fifty would cost as much as a tenth of reading it."""


class LocalCache:
    """All copies of a process. With 0 seconds there are none, and nothing is counted."""

    def __init__(
        self,
        seconds: float,
        reads: int,
        clock: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = random.random,
    ) -> None:
        """Hot is what is asked for about so many times within the window of `HeavyHitters`."""
        self._seconds = seconds
        self._random = random
        self._clock = clock
        self._hitters = HeavyHitters(reads / ONE_IN)
        self._copies: dict[str, tuple[float, Any]] = {}
        self._changed = float("-inf")
        metrics.HOT_KEYS.set_function(lambda: self._hitters.hot_at(clock()))

    def now(self) -> float:
        """When something is asked for that may be kept."""
        return self._clock()

    def find(self, names: Sequence[str], now: float) -> dict[str, Any]:
        """Counts that these are asked for, and gives those that are near."""
        if not self._seconds:
            return {}
        if self._hitters.turn(now):
            self._forget()
        self._hitters.add(names[int(self._random() * ONE_IN) :: ONE_IN])
        copies = self._copies
        if not copies:
            return {}
        return {name: copies[name][1] for name in copies.keys() & names if now < copies[name][0]}

    def keep(self, found: Iterable[tuple[str, Any]], asked: float) -> None:
        """Keeps what is hot of what was asked for then, unless this process has changed anything since."""
        hot = self._hitters.hot
        if not hot or asked <= self._changed:
            return
        until = asked + self._seconds
        self._copies.update((name, (until, value)) for name, value in found if name in hot)

    def drop(self, names: Iterable[str]) -> None:
        """Gives up what this process has changed, and whatever of it is on its way here."""
        self._changed = self._clock()
        for name in names:
            self._copies.pop(name, None)

    def clear(self) -> None:
        """Gives up every copy, and whatever is on its way here."""
        self._changed = self._clock()
        self._copies.clear()

    def _forget(self) -> None:
        """What is not hot any more."""
        hot = self._hitters.hot
        if self._copies:
            self._copies = {name: copy for name, copy in self._copies.items() if name in hot}
