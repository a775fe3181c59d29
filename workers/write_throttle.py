"""Limits how much a worker writes at once, so that Postgres is busy but not overloaded (W7).

The algorithm is additive increase, multiplicative decrease. The limit is the number of entries in progress, divided
into lanes: parallel batches of different partitions. The limit is halved if the median of the last `_WINDOW` commits is
above the target (the median ignores single slow commits), and after a batch failed because Postgres was overloaded.
While the median is within the target, each commit raises the limit by a tenth of a batch.

The limit is not halved again if the last halving has not made commits faster: a distant database takes as long for a
small batch, and would only get more batches.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

from observability import metrics
from store.postgres.client import PostgresDown, sqlstate

_LOWEST_LIMIT = 20
"""The lowest limit, in entries."""
_WINDOW = 11
"""The number of commits from which the median is computed."""
_IMPROVEMENT = 0.8
"""After commits were slow, the limit is lowered again only if the median has fallen below this fraction of the median
at the last lowering.
"""
_OVERLOADED = ("40", "53", "55P03", "57014")
"""The SQLSTATEs (or their first characters) of an overloaded Postgres: deadlocks; no connections, memory or disk left;
timeouts.
"""


class WriteThrottle:
    """Limits how many journal entries one worker has in progress. The limit is at most `lanes` parallel batches of
    `batch` entries.

    Halves the limit if the median time of the last commits is above `target` seconds, and after a commit failed because
    Postgres was overloaded. While the median is within the target, each commit raises the limit. `clock` returns
    seconds.
    """

    def __init__(self, lanes: int, batch: int, target: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._batch, self._highest, self._lowest = batch, lanes * batch, min(_LOWEST_LIMIT, batch)
        self._target = target
        self._clock = clock
        self._seconds: deque[float] = deque(maxlen=_WINDOW)
        self._lowered_at = float("-inf")
        self._median_when_lowered = float("inf")
        """The median in seconds when the limit was last lowered for slow commits. Infinite after the median was within
        the target.
        """
        self._set(self._highest)

    @property
    def lanes(self) -> int:
        """Returns how many batches the worker may have in progress at once."""
        return -(-self.limit // self._batch)

    def entries(self, lanes: int) -> int:
        """Returns how many entries the worker may have in progress in each of `lanes` parallel batches."""
        return max(1, min(self._batch, self.limit // lanes))

    @contextmanager
    def commit(self) -> Iterator[None]:
        """Measures how long the block takes, which commits one batch, and adjusts the limit. Also adjusts it if the
        block raises PostgresDown because Postgres is overloaded. Ignores batches that began before the limit was last
        lowered.
        """
        began = self._clock()
        try:
            yield
        except PostgresDown as error:
            if began >= self._lowered_at and _is_overload(error.__cause__):
                self._lower("failed")
            raise
        if began >= self._lowered_at:
            self._seconds.append(self._clock() - began)
            self._adjust()

    def _adjust(self) -> None:
        if len(self._seconds) < _WINDOW:
            return
        typical = median(self._seconds)
        if typical <= self._target:
            self._median_when_lowered = float("inf")
            self._set(min(self._highest, self.limit + max(1, self._batch // 10)))
        elif typical < _IMPROVEMENT * self._median_when_lowered:
            self._median_when_lowered = typical
            self._lower("slow")

    def _lower(self, why: str) -> None:
        metrics.WRITE_THROTTLES.labels(why).inc()
        self._lowered_at = self._clock()
        self._seconds.clear()
        self._set(max(self._lowest, self.limit // 2))

    def _set(self, limit: int) -> None:
        self.limit = limit
        metrics.WRITE_LIMIT.set(limit)


def _is_overload(cause: BaseException | None) -> bool:
    """Returns whether a batch failed because Postgres is overloaded, rather than because Postgres is down."""
    if cause is None:
        return False
    return isinstance(cause, TimeoutError) or (sqlstate(cause) or "").startswith(_OVERLOADED)
