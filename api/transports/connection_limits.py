"""Limits of long-lived connections: how many in a process and for each user or address, and how long they last."""

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from context import Context
from domain.errors import RateLimited
from models.devices import network
from observability import metrics
from settings import Settings

_LONGEST_SLEEP = 3600.0
_LINGERING = 0.2
"""Seconds that closing a connection may take."""
_PROCESS = "process"
_CROWD = 100
"""After this many connections have closed, garbage is collected. Closed connections are cycles of objects, and the
collector runs rarely (state.py), so megabytes of them would remain.
"""


class ConnectionLimits:
    """The long-lived connections of a process. Each counts for the process and for its user or address."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._counts: Counter[Hashable] = Counter()
        self._gone = 0
        self.stopping = asyncio.Event()
        """Set when the process is about to stop."""

    @property
    def count(self) -> int:
        """The number of open connections."""
        return self._counts[_PROCESS]

    @contextmanager
    def in_process(self, transport: str) -> Iterator[None]:
        """Counts a connection for the process while the block runs. Raises RateLimited."""
        with (
            self._counted(_PROCESS, self._settings.max_streaming_connections),
            metrics.CONNECTIONS.labels(transport).track_inprogress(),
        ):
            try:
                yield
            finally:
                self._leave()

    def _leave(self) -> None:
        self._gone += 1
        if self._gone % _CROWD == 0:
            asyncio.get_running_loop().call_later(_LINGERING, gc.collect, 1)

    @contextmanager
    def for_caller(self, context: Context) -> Iterator[None]:
        """Counts a connection for its user, or for its address if anonymous, while the block runs. Raises
        RateLimited.
        """
        if context.viewer:
            counted = self._counted(("user", context.viewer.user_id), self._settings.streaming_connections_per_user)
        else:
            counted = self._counted(
                ("address", network(context.client.ip)), self._settings.streaming_connections_per_address
            )
        with counted:
            yield

    @contextmanager
    def _counted(self, whose: Hashable, most: int) -> Iterator[None]:
        if self._counts[whose] >= most:
            raise RateLimited("There are too many connections.", retry_after=self._settings.keep_alive_interval)
        self._counts[whose] += 1
        try:
            yield
        finally:
            self._counts[whose] -= 1
            if not self._counts[whose]:
                del self._counts[whose]


async def expiry(context: Context) -> None:
    """Returns when the caller's token expires; infinity for anonymous callers."""
    expires = context.viewer.expires if context.viewer else None
    while expires is None or time.time() < expires:
        left = _LONGEST_SLEEP if expires is None else expires - time.time()
        await asyncio.sleep(min(max(0.0, left), _LONGEST_SLEEP))
