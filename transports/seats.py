"""Who stays connected: how many in this process, how many for each user or address, and until when."""

import asyncio
import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

import metrics
from context import Context
from errors import RateLimited
from limits import network
from settings import Settings

_LONGEST_SLEEP = 3600.0
_PROCESS = "process"


class Seats:
    """One per process. Every long-lived connection, whatever its transport, holds two seats: any, and its owner's."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._taken: Counter[Hashable] = Counter()
        self.ending = asyncio.Event()
        """Set when the process is about to stop."""

    @property
    def taken(self) -> int:
        """How many connections are open."""
        return self._taken[_PROCESS]

    @contextmanager
    def any(self, transport: str) -> Iterator[None]:
        """A seat in this process. Raises RateLimited."""
        with self._seat(_PROCESS, self._settings.connections), metrics.CONNECTIONS.labels(transport).track_inprogress():
            yield

    @contextmanager
    def own(self, context: Context) -> Iterator[None]:
        """One of those that a user may have, or an address that nobody signed in from. Raises RateLimited."""
        if context.viewer:
            seat = self._seat(("user", context.viewer.user_id), self._settings.connections_per_user)
        else:
            seat = self._seat(("address", network(context.client.ip)), self._settings.connections_per_address)
        with seat:
            yield

    @contextmanager
    def _seat(self, whose: Hashable, most: int) -> Iterator[None]:
        if self._taken[whose] >= most:
            raise RateLimited("There are too many connections.", retry_after=self._settings.keep_alive)
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
