"""Limits how much a worker writes at once, so that Postgres is busy but not overloaded (W7).

The algorithm is additive increase, multiplicative decrease. The limit is the number of entries in progress, divided
into lanes. It is halved if the median of the last `_WINDOW` commits takes longer than the target (the median ignores
single slow commits), and after batches that failed because Postgres was overloaded. It grows by a tenth of a batch with
each commit while the median is within the target.

The limit is not halved again if halving has not made commits faster: a database that is far away takes as long for a
small batch, and would only get more of them.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

from observability import metrics
from store.postgres.client import PostgresDown, sqlstate

_LEAST = 20
"""The lowest limit, in entries."""
_WINDOW = 11
"""The number of commits from which the median is taken."""
_HELPED = 0.8
"""The limit is lowered again only if the median is below this part of the median at the last time."""
_OVERLOADED = ("40", "53", "55P03", "57014")
"""SQLSTATEs (or their beginnings) of overload: deadlocks, no connections, memory or disk left, timeouts."""


class Pace:
    """The write limit of one worker: at most `lanes` times `batch` entries. `target` and `clock` are in seconds."""

    def __init__(self, lanes: int, batch: int, target: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._batch, self._most, self._least = batch, lanes * batch, min(_LEAST, batch)
        self._target = target
        self._clock = clock
        self._seconds: deque[float] = deque(maxlen=_WINDOW)
        self._lowered = float("-inf")
        self._before = float("inf")
        """The median in seconds when the limit was last lowered for slow commits; infinite once it was within the
        target again.
        """
        self._set(self._most)

    @property
    def lanes(self) -> int:
        """Returns how many batches may be in progress at once."""
        return -(-self.limit // self._batch)

    def entries(self, lanes: int) -> int:
        """Returns how many entries each of so many lanes may have in progress."""
        return max(1, min(self._batch, self.limit // lanes))

    @contextmanager
    def commit(self) -> Iterator[None]:
        """Measures the commit of one batch. Ignores batches that began before the limit was last lowered."""
        began = self._clock()
        try:
            yield
        except PostgresDown as error:
            if began >= self._lowered and _is_overload(error.__cause__):
                self._lower("failed")
            raise
        if began >= self._lowered:
            self._seconds.append(self._clock() - began)
            self._judge()

    def _judge(self) -> None:
        if len(self._seconds) < _WINDOW:
            return
        usual = median(self._seconds)
        if usual <= self._target:
            self._before = float("inf")
            self._set(min(self._most, self.limit + max(1, self._batch // 10)))
        elif usual < _HELPED * self._before:
            self._before = usual
            self._lower("slow")

    def _lower(self, why: str) -> None:
        metrics.WRITE_THROTTLES.labels(why).inc()
        self._lowered = self._clock()
        self._seconds.clear()
        self._set(max(self._least, self.limit // 2))

    def _set(self, limit: int) -> None:
        self.limit = limit
        metrics.WRITE_LIMIT.set(limit)


def _is_overload(cause: BaseException | None) -> bool:
    """Returns whether Postgres failed because of overload, rather than because it is down."""
    if cause is None:
        return False
    return isinstance(cause, TimeoutError) or (sqlstate(cause) or "").startswith(_OVERLOADED)
