"""Heavy hitters: finds the keys that are read most often in a sliding window, in bounded memory.

The window consists of panes, which are equal slices of time. Each pane is a summary after Misra and Gries ("Finding
repeated elements", 1982). It takes keys in batches and is cut when it has twice its size (Agarwal et al., "Mergeable
summaries", 2012). A pane never counts a key too often. If it has counted N occurrences in all, it misses at most `N /
(SIZE + 1)` occurrences of each key. So every hot key was really read as often as the threshold says, and a hot key is
missed only if very many other keys were read as well.
"""

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from heapq import nlargest
from operator import itemgetter
from typing import NamedTuple

PANES, PANE_S = 8, 0.25
SIZE = 2048
"""The number of keys in a pane. A pane grows to twice as many before it is cut."""
MOST = 1000
"""The largest number of hot keys. If there are more, those read most often are kept."""


class _Pane(NamedTuple):
    """The counts of one past time slice of the window, and the keys in `heavy`: those that reached their share of the
    threshold in this slice. A key that reaches the threshold over the whole window is in `heavy` of at least one pane.
    """

    counts: Counter[str]
    heavy: Sequence[str]


class HeavyHitters:
    """The heavy hitters of a sliding window. The caller passes the time, in seconds of any clock that never goes
    back.
    """

    def __init__(self, least: float) -> None:
        """Makes keys hot that are read at least `least` times within the window."""
        self._least = least
        self._open: Counter[str] = Counter()
        self._closed: deque[_Pane] = deque(maxlen=PANES)
        self._ends = 0.0
        self.hot: Mapping[str, int] = {}
        """The hot keys as of the end of the last pane, with the number of times they were read in the window. A key
        that is no longer read leaves at the end of a pane.
        """

    def turn(self, now: float) -> bool:
        """Starts a new time slice if the current one is over. Returns True if it did: `hot` may then have changed."""
        if now < self._ends:
            return False
        gone = int((now - self._ends) / PANE_S)
        self._closed.append(self._pane())
        self._closed.extend([_Pane(Counter(), ())] * min(gone, PANES))
        self._open, self._ends = Counter(), self._ends + (gone + 1) * PANE_S
        self.hot = self._hottest()
        return True

    def add(self, keys: Sequence[str]) -> None:
        """Counts one read of each of these keys in the current time slice."""
        self._open.update(keys)
        if len(self._open) > 2 * SIZE:
            self._open = cut(self._open)

    def hot_at(self, now: float) -> Mapping[str, int]:
        """Returns the hot keys. The result is right even if no key was read for a long time."""
        return self.hot if now < self._ends + PANES * PANE_S else {}

    def _pane(self) -> _Pane:
        share = self._least / PANES
        return _Pane(self._open, [key for key, times in self._open.items() if times >= share])

    def _hottest(self) -> Mapping[str, int]:
        candidates = {key for pane in self._closed for key in pane.heavy}
        times = {key: sum(pane.counts[key] for pane in self._closed) for key in candidates}
        hot = {key: sum_ for key, sum_ in times.items() if sum_ >= self._least}
        return hot if len(hot) <= MOST else dict(nlargest(MOST, hot.items(), key=itemgetter(1)))


def cut(counts: Counter[str]) -> Counter[str]:
    """Returns the counts of the SIZE most frequent keys, each reduced by the count of the next frequent key. For each
    occurrence that one key loses, SIZE other keys lose one occurrence each.
    """
    least = nlargest(SIZE + 1, counts.values())[-1]
    return Counter({key: times - least for key, times in counts.items() if times > least})
