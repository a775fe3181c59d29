"""Which keys are asked for most, over a sliding window and in bounded memory: heavy hitters.

The window is made of panes, and each of them is a summary after Misra and Gries ("Finding repeated elements", 1982),
which takes keys by the batch and is cut where it has grown to twice its size (Agarwal et al., "Mergeable summaries",
2012). It never counts a key too often, and each key at most `N / (SIZE + 1)` times too few, of N keys in its pane. So a
key is never hot that was not asked for as often as that, and one is missed only where very many others were as well.
"""

from collections import Counter, deque
from collections.abc import Sequence
from heapq import nlargest
from typing import NamedTuple

PANES, PANE_S = 8, 0.25
SIZE = 2048
"""Keys of a pane, twice as many until it is cut."""
MOST = 1000
"""Hot at once; where there are more, those asked for most."""


class _Pane(NamedTuple):
    """A closed one. What reaches the threshold over all panes has its share in one of them, and is `heavy` there."""

    counts: Counter[str]
    heavy: Sequence[str]


class HeavyHitters:
    """Counts while its caller tells it the time, in seconds of any clock that goes forwards."""

    def __init__(self, least: float) -> None:
        """Hot is what is asked for `least` times within the window."""
        self._least = least
        self._open: Counter[str] = Counter()
        self._closed: deque[_Pane] = deque(maxlen=PANES)
        self._ends = 0.0
        self.hot: frozenset[str] = frozenset()
        """As of the end of the last pane, which is when what nobody asks for any more leaves it."""

    def turn(self, now: float) -> bool:
        """Closes the open pane if its time is over. Returns whether it did, so that others may be hot now."""
        if now < self._ends:
            return False
        gone = int((now - self._ends) / PANE_S)
        self._closed.append(self._pane())
        self._closed.extend([_Pane(Counter(), ())] * min(gone, PANES))
        self._open, self._ends = Counter(), self._ends + (gone + 1) * PANE_S
        self.hot = self._hottest()
        return True

    def add(self, keys: Sequence[str]) -> None:
        """Counts a batch into the open pane."""
        self._open.update(keys)
        if len(self._open) > 2 * SIZE:
            self._open = cut(self._open)

    def hot_at(self, now: float) -> int:
        """How many are hot, also where nobody has asked for anything for long."""
        return len(self.hot) if now < self._ends + PANES * PANE_S else 0

    def _pane(self) -> _Pane:
        share = self._least / PANES
        return _Pane(self._open, [key for key, times in self._open.items() if times >= share])

    def _hottest(self) -> frozenset[str]:
        candidates = {key for pane in self._closed for key in pane.heavy}
        times = {key: sum(pane.counts[key] for pane in self._closed) for key in candidates}
        hot = [key for key, sum_ in times.items() if sum_ >= self._least]
        return frozenset(hot if len(hot) <= MOST else nlargest(MOST, hot, key=times.__getitem__))


def cut(counts: Counter[str]) -> Counter[str]:
    """The SIZE most frequent keys, each without as many as the next one has: what they lose, others lose SIZE times."""
    least = nlargest(SIZE + 1, counts.values())[-1]
    return Counter({key: times - least for key, times in counts.items() if times > least})
