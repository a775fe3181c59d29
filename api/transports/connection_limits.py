"""Who stays connected: how many in this process, how many for each user or address, and until when."""

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
"""Seconds that the last steps of a connection's end may take."""
_PROCESS = "process"
_CROWD = 100
"""When so many have gone, what is left of them is collected: connections are cycles of objects, as tasks are, and the
collector, which is a calm one (state.py), would leave megabytes of them lying.
"""


class Seats:
    """One per process. Every long-lived connection, whatever its transport, holds two seats: any, and its owner's."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._taken: Counter[Hashable] = Counter()
        self._gone = 0
        self.ending = asyncio.Event()
        """Set when the process is about to stop."""

    @property
    def taken(self) -> int:
        """How many connections are open."""
        return self._taken[_PROCESS]

    @contextmanager
    def any(self, transport: str) -> Iterator[None]:
        """A seat in this process. Raises RateLimited."""
        with (
            self._seat(_PROCESS, self._settings.max_streaming_connections),
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
    def own(self, context: Context) -> Iterator[None]:
        """One of those that a user may have, or an address that nobody signed in from. Raises RateLimited."""
        if context.viewer:
            seat = self._seat(("user", context.viewer.user_id), self._settings.streaming_connections_per_user)
        else:
            seat = self._seat(("address", network(context.client.ip)), self._settings.streaming_connections_per_address)
        with seat:
            yield

    @contextmanager
    def _seat(self, whose: Hashable, most: int) -> Iterator[None]:
        if self._taken[whose] >= most:
            raise RateLimited("There are too many connections.", retry_after=self._settings.keep_alive_interval)
        self._taken[whose] += 1
        try:
            yield
        finally:
            self._taken[whose] -= 1
            if not self._taken[whose]:
                del self._taken[whose]


async def expiry(context: Context) -> None:
    """Returns when the caller's token is no longer good; never, for who sent none."""
    expires = context.viewer.expires if context.viewer else None
    while expires is None or time.time() < expires:
        left = _LONGEST_SLEEP if expires is None else expires - time.time()
        await asyncio.sleep(min(max(0.0, left), _LONGEST_SLEEP))
