"""Counts requests for trusted operations (those of manifests and imports), by operation, client and version.

A process counts in its memory, for Prometheus and for Postgres. It adds its counts to Postgres in the background; at a
reading site, it sends them to the write site.
"""

from collections.abc import Awaitable, Callable, Sequence

from prometheus_client import Counter

from commands.persisted.registry import TrustedOperation
from commands.persisted.withdrawals import OTHER
from models.base import at
from observability.metrics import PERSISTED_REQUESTS
from store.persisted.usage import Uses

MOST_SERIES = 2000
"""The most combinations of operation, client, version and outcome that a process reports to Prometheus. Further
requests are reported without operation and version.
"""


class Usage:
    """The requests for trusted operations that a process has counted since it last stored its counts."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._requests: dict[tuple[str, str, str], tuple[int, int]] = {}
        """The number of requests, and the time of the last one, by operation id, client and version."""
        self._counters: dict[tuple[str, str, str, str], Counter] = {}

    def count(self, operation: TrustedOperation, client: str, version: str, outcome: str) -> None:
        """Counts a request with the outcome `run` or `withdrawn`. `client` and `version` are those that
        `Withdrawals.known` returns: `other` if nothing was imported for them. Only requests with the outcome `run` are
        stored in Postgres.
        """
        self._counter(operation.name, client, version, outcome).inc()
        if outcome == "run":
            key = operation.ids[0], client, version
            self._requests[key] = self._requests.get(key, (0, 0))[0] + 1, self._now_ms()

    async def store(self, add: Callable[[Sequence[Uses]], Awaitable[None]]) -> None:
        """Stores the counts of this process with `add`, then forgets them. If this fails, keeps them and raises the
        error.
        """
        requests, self._requests = self._requests, {}
        if not requests:
            return
        try:
            await add([Uses(*key, count, at(ms)) for key, (count, ms) in requests.items()])
        except BaseException:
            for key, (count, ms) in requests.items():
                later_count, later_ms = self._requests.get(key, (0, 0))
                self._requests[key] = later_count + count, max(later_ms, ms)
            raise

    def _counter(self, operation: str, client: str, version: str, outcome: str) -> Counter:
        labels = operation, client, version, outcome
        counter = self._counters.get(labels)
        if counter is None:
            if len(self._counters) >= MOST_SERIES:
                return PERSISTED_REQUESTS.labels(OTHER, client, OTHER, outcome)
            counter = self._counters[labels] = PERSISTED_REQUESTS.labels(*labels)
        return counter
