"""A process's own copies of the values that are read most often, kept for a few seconds or less (D6, F8).

Input: the names of cached values, one page at a time. Output: values that are the same for all viewers.

A copy is valid for `seconds` after it was *requested*, however late the answer arrived. It is dropped when this process
changes the value (`Cache.fence`, `Cache.drop`), and when a new generation begins (`WriteMode`). Only hot keys have
copies. Loaders apply the viewer's own pending changes to a copy as they do to a cached value.
"""

import random
import time
from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest
from operator import itemgetter
from typing import Any

from observability import metrics
from store.cache.heavy_hitters import PANE_S, PANES, HeavyHitters

ONE_IN = 8
"""One in this many names is counted, chosen at random. Counting all fifty names of a page would take a tenth of the
time that reading the page takes.
"""
_SHOWN = 10
"""How many hot keys the metrics name."""


class LocalCache:
    """All copies of one process. With `seconds` = 0 it keeps no copies and counts nothing."""

    def __init__(
        self,
        seconds: float,
        reads: int,
        clock: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = random.random,
    ) -> None:
        """Makes values hot whose names are read about `reads` times or more within the window of `HeavyHitters`."""
        self._seconds = seconds
        self._random = random
        self._clock = clock
        self._hitters = HeavyHitters(reads / ONE_IN)
        self._copies: dict[str, tuple[float, Any]] = {}
        self._changed = float("-inf")
        metrics.HOT_KEYS.set_function(lambda: len(self._hitters.hot_at(clock())))
        metrics.HOT_KEY_READS.read = self._reads_per_second

    def now(self) -> float:
        """Returns the current time in seconds, to pass to `find` and `keep`. Call it before the values are read."""
        return self._clock()

    def find(self, names: Sequence[str], now: float) -> dict[str, Any]:
        """Counts a sample of these names as read. Returns the copies that are still valid, by name."""
        if not self._seconds:
            return {}
        if self._hitters.turn(now):
            self._forget()
        self._hitters.add(names[int(self._random() * ONE_IN) :: ONE_IN])
        copies = self._copies
        if not copies:
            return {}
        return {name: copies[name][1] for name in copies.keys() & names if now < copies[name][0]}

    def keep(self, found: Iterable[tuple[str, Any]], requested_at: float) -> None:
        """Keeps copies of the hot ones among these values, which were requested at `requested_at`. Keeps none if this
        process has changed any value since.
        """
        hot = self._hitters.hot
        if not hot or requested_at <= self._changed:
            return
        until = requested_at + self._seconds
        self._copies.update((name, (until, value)) for name, value in found if name in hot)

    def _reads_per_second(self) -> dict[str, float]:
        hot = self._hitters.hot_at(self._clock())
        most = nlargest(_SHOWN, hot.items(), key=itemgetter(1))
        return {name: times * ONE_IN / (PANES * PANE_S) for name, times in most}

    def drop(self, names: Iterable[str]) -> None:
        """Drops the copies of these values, which this process has changed. From now on, `keep` ignores values that
        were requested before this call.
        """
        self._changed = self._clock()
        for name in names:
            self._copies.pop(name, None)

    def clear(self) -> None:
        """Drops all copies. From now on, `keep` ignores values that were requested before this call."""
        self._changed = self._clock()
        self._copies.clear()

    def _forget(self) -> None:
        """Drops the copies of values that are no longer hot."""
        hot = self._hitters.hot
        if self._copies:
            self._copies = {name: copy for name, copy in self._copies.items() if name in hot}
