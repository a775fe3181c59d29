"""How much a worker writes at once, so that Postgres has as much to do as it can: additive increase, multiplicative
decrease (W7).

Enters: how long each batch took to commit, and those that failed because the database had too much to do. Leaves: how
many entries may be under way, as lanes with so many each. Lowered to half when the usual commit (the median of the last
`_WINDOW`: a disk that stalls now and then is none of our doing) takes longer than the target, and for each round of
batches that fail; raised by a tenth of a batch for each commit while the usual one is within the target.

Lowering it for slow commits does not go on where it has made them no faster: a database that is far away takes as long
for less, and would only be asked more often.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

from observability import metrics
from store.postgres.client import PostgresDown, sqlstate

_LEAST = 20
"""Entries that may be under way however slow things are."""
_WINDOW = 11
"""Commits that a verdict takes."""
_HELPED = 0.8
"""What commits take of the time they took before, at most, where writing less has helped."""
_OVERLOADED = ("40", "53", "55P03", "57014")
"""SQLSTATEs: deadlocks, too many connections, no memory or disk, locks and statements that took too long."""


class Pace:
    """One per worker. At most `lanes` times `batch` entries at once; `target` is in seconds, as is the `clock`."""

    def __init__(self, lanes: int, batch: int, target: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._batch, self._most, self._least = batch, lanes * batch, min(_LEAST, batch)
        self._target = target
        self._clock = clock
        self._seconds: deque[float] = deque(maxlen=_WINDOW)
        self._lowered = float("-inf")
        self._before = float("inf")
        """What the usual commit took when the limit was last lowered for it; infinite once it is within the target."""
        self._set(self._most)

    @property
    def lanes(self) -> int:
        """How many batches may be under way at once."""
        return -(-self.limit // self._batch)

    def entries(self, lanes: int) -> int:
        """How many may be in each, where there are so many lanes."""
        return max(1, min(self._batch, self.limit // lanes))

    @contextmanager
    def commit(self) -> Iterator[None]:
        """One batch. What began before the limit was lowered tells nothing about the lower one."""
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
    """Whether it failed because there was too much to do, rather than because nobody was there."""
    if cause is None:
        return False
    return isinstance(cause, TimeoutError) or (sqlstate(cause) or "").startswith(_OVERLOADED)
