"""A process's own copies of the values that are read most often, kept for a few seconds or less (D6, F8).

Input: the names of cached values, one page at a time. Output: values that are the same for all viewers.

Names that are read often are found in bounded memory. Only one in eight names (`ONE_IN`), chosen at random, is counted,
so the number of reads is an estimate. The counts are in a sliding window of panes, which are equal slices of time. Each
pane is a summary after Misra and Gries ("Finding repeated elements", 1982). It takes names in batches and is cut when
it has twice its size (Agarwal et al., "Mergeable summaries", 2012). A pane never has too high a count of a name. If it
has counted N occurrences in all, it misses at most `N / (SIZE + 1)` occurrences of each name. So every hot name was
counted as often as the threshold says, though it may have been read a little less often. A name that is read often is
missed only if chance counts it too rarely, or if very many other names were read as well.

A copy is valid for `seconds` after it was *requested*, however late the answer arrived. It is dropped when this process
changes the value (`Cache.fence`, `Cache.drop`), and when a new generation begins (`WriteMode`). Only hot keys have
copies. Loaders apply the viewer's own pending changes to a copy as they do to a cached value.
"""

import random
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nlargest
from operator import itemgetter
from typing import Any, NamedTuple

from observability import metrics

PANES, PANE_S = 8, 0.25
SIZE = 2048
"""The number of keys in a pane. A pane grows to twice as many before it is cut."""
MOST = 1000
"""The largest number of hot keys. If there are more, those counted most often are kept."""
ONE_IN = 8
"""One in this many names is counted, chosen at random. Counting all fifty names of a page would take a tenth of the
time that reading the page takes.
"""
_SHOWN = 10
"""How many hot keys the metrics name."""


class _Pane(NamedTuple):
    """The counts of one past time slice of the window, and the keys in `heavy`: those that reached their share of the
    threshold in this slice. A key that reaches the threshold over the whole window is in `heavy` of at least one pane.
    """

    counts: Counter[str]
    heavy: Sequence[str]


class HeavyHitters:
    """Finds the keys that are counted most often (hot keys) in a sliding window of the last two seconds. The caller
    passes the time, in seconds of any clock that never goes back.
    """

    def __init__(self, least: float) -> None:
        """A key is hot if it is counted at least `least` times within the window."""
        self._least = least
        self._open: Counter[str] = Counter()
        self._closed: deque[_Pane] = deque(maxlen=PANES)
        self._ends = 0.0
        self.hot: Mapping[str, int] = {}
        """The hot keys as of the end of the last pane, with the number of times they were counted in the window. A key
        that is no longer counted leaves at the end of a pane.
        """

    def turn(self, now: float) -> bool:
        """Starts a new time slice if the current one is over. Returns True if it did: `hot` may then have changed."""
        if now < self._ends:
            return False
        gone = int((now - self._ends) / PANE_S)
        share = self._least / PANES
        self._closed.append(_Pane(self._open, [key for key, times in self._open.items() if times >= share]))
        self._closed.extend([_Pane(Counter(), ())] * min(gone, PANES))
        self._open, self._ends = Counter(), self._ends + (gone + 1) * PANE_S
        candidates = {key for pane in self._closed for key in pane.heavy}
        times = {key: sum(pane.counts[key] for pane in self._closed) for key in candidates}
        hot = {key: sum_ for key, sum_ in times.items() if sum_ >= self._least}
        self.hot = hot if len(hot) <= MOST else dict(nlargest(MOST, hot.items(), key=itemgetter(1)))
        return True

    def add(self, keys: Sequence[str]) -> None:
        """Counts each of these keys once in the current time slice."""
        self._open.update(keys)
        if len(self._open) > 2 * SIZE:
            self._open = cut(self._open)

    def hot_at(self, now: float) -> Mapping[str, int]:
        """Returns the hot keys with the number of times they were counted in the window; none if no key was counted for
        a long time.
        """
        return self.hot if now < self._ends + PANES * PANE_S else {}


def cut(counts: Counter[str]) -> Counter[str]:
    """Returns the counts of the SIZE most frequent keys, each reduced by the count of the next frequent key. For each
    occurrence that one key loses, SIZE other keys lose one occurrence each.
    """
    least = nlargest(SIZE + 1, counts.values())[-1]
    return Counter({key: times - least for key, times in counts.items() if times > least})


class LocalCache:
    """A process's own copies of the cached values that it reads most often. A copy is valid for `seconds`; with 0,
    there are no copies, and reads are not counted.
    """

    def __init__(
        self,
        seconds: float,
        reads: int,
        clock: Callable[[], float] = time.monotonic,
        random: Callable[[], float] = random.random,
    ) -> None:
        """Keeps copies only of hot values: those whose names are read about `reads` times or more within the window of
        `HeavyHitters`. The number of reads is estimated from a sample (`ONE_IN`).
        """
        self._seconds = seconds
        self._random = random
        self.clock = clock
        """Returns the current time in seconds, to pass to `find` and `keep`."""
        self._hitters = HeavyHitters(reads / ONE_IN)
        self._copies: dict[str, tuple[float, Any]] = {}
        self._changed = float("-inf")
        metrics.HOT_KEYS.set_function(lambda: len(self._hitters.hot_at(clock())))
        metrics.HOT_KEY_READS.read = self._reads_per_second

    def find(self, names: Sequence[str], now: float) -> dict[str, Any]:
        """Returns the copies of these values that are still valid, by name. Counts a sample of the names as read. `now`
        is what `clock` returned before the read began.
        """
        if not self._seconds:
            return {}
        if self._hitters.turn(now) and self._copies:
            hot = self._hitters.hot
            self._copies = {name: copy for name, copy in self._copies.items() if name in hot}
        self._hitters.add(names[int(self._random() * ONE_IN) :: ONE_IN])
        copies = self._copies
        if not copies:
            return {}
        return {name: copies[name][1] for name in copies.keys() & names if now < copies[name][0]}

    def keep(self, found: Iterable[tuple[str, Any]], requested_at: float) -> None:
        """Keeps copies of the hot ones among these values. `found` are pairs (name, value), and `requested_at` is what
        `clock` returned before they were read. Keeps none if this process has changed any value since then.
        """
        hot = self._hitters.hot
        if not hot or requested_at <= self._changed:
            return
        until = requested_at + self._seconds
        self._copies.update((name, (until, value)) for name, value in found if name in hot)

    def _reads_per_second(self) -> dict[str, float]:
        hot = self._hitters.hot_at(self.clock())
        most = nlargest(_SHOWN, hot.items(), key=itemgetter(1))
        return {name: times * ONE_IN / (PANES * PANE_S) for name, times in most}

    def drop(self, names: Iterable[str]) -> None:
        """Drops the copies of these values, which this process has changed. From now on, `keep` ignores values that
        were requested before this call.
        """
        self._changed = self.clock()
        for name in names:
            self._copies.pop(name, None)

    def clear(self) -> None:
        """Drops all copies. From now on, `keep` ignores values that were requested before this call."""
        self._changed = self.clock()
        self._copies.clear()
