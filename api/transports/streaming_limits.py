"""Limits streaming connections (server-sent events and WebSockets): their number in a process and for each user or
address, and their duration.
"""

import asyncio
import gc
import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager

from context import Context
from domain.errors import RateLimited
from models.devices import network
from observability import metrics
from settings import Settings

_LONGEST_SLEEP = 3600.0
_CLOSING_SECONDS = 0.2
"""Seconds that closing a connection may take."""
_PROCESS = "process"
_CLOSED_PER_COLLECTION = 100
"""The garbage collector runs after this many connections have closed. What uvicorn keeps of a closed connection is a
reference cycle. Such cycles would occupy megabytes, because the collector otherwise runs rarely (state.py). This run
does not find cycles that have survived an earlier run, so Plaudit's own objects must leave none.
"""


class StreamingLimits:
    """Counts the streaming connections of a process, in total and for each user or address, and refuses connections
    beyond the limits.
    """

    def __init__(self, settings: Settings) -> None:
        self._most = settings.connections
        self._counts: Counter[Hashable] = Counter()
        self._closed = 0
        self.stopping = asyncio.Event()
        """Set when the process begins to stop."""

    @property
    def count(self) -> int:
        """Returns the number of open streaming connections of the process."""
        return self._counts[_PROCESS]

    @contextmanager
    def in_process(self, transport: str) -> Iterator[None]:
        """Counts a connection in the total of the process while the block runs. `transport` is the label of the
        connection in metrics: `stream` or `websocket`. Raises RateLimited if the process has too many connections.
        """
        with (
            self._count(_PROCESS, self._most.streaming),
            metrics.CONNECTIONS.labels(transport).track_inprogress(),
        ):
            try:
                yield
            finally:
                self._count_closed()

    def _count_closed(self) -> None:
        self._closed += 1
        if self._closed % _CLOSED_PER_COLLECTION == 0:
            asyncio.get_running_loop().call_later(_CLOSING_SECONDS, gc.collect, 1)

    def for_caller(self, context: Context) -> AbstractContextManager[None]:
        """Counts a connection for the caller's user, or for the address of an anonymous caller, while the block runs.
        Raises RateLimited if the user or address has too many connections.
        """
        if context.viewer:
            return self._count(("user", context.viewer.user_id), self._most.streaming_per_user)
        return self._count(("address", network(context.client.ip)), self._most.streaming_per_address)

    @contextmanager
    def _count(self, owner: Hashable, most: int) -> Iterator[None]:
        if self._counts[owner] >= most:
            raise RateLimited("There are too many connections.", retry_after=self._most.keep_alive_interval)
        self._counts[owner] += 1
        try:
            yield
        finally:
            self._counts[owner] -= 1
            if not self._counts[owner]:
                del self._counts[owner]


async def wait_for_expiry(context: Context) -> None:
    """Waits until the caller's token expires. Waits forever if the caller is anonymous."""
    expires = context.viewer.expires if context.viewer else None
    while expires is None or time.time() < expires:
        left = _LONGEST_SLEEP if expires is None else expires - time.time()
        await asyncio.sleep(min(max(0.0, left), _LONGEST_SLEEP))
