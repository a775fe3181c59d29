"""How far a site that only reads is behind the site that writes (ADR 104)."""

import math
from collections.abc import Callable
from contextlib import suppress

from store.backoff import rest
from store.cache import log, repeated
from store.redis.client import Redis, RedisDown

BEAT_S = 0.2
"""Seconds between two entries of the log of cache changes, also if nothing changes."""
LATEST_CACHE_MS, LATEST_STATE_MS = 2000, 600
"""How old the newest repeated entry of the log, and the newest received one, may be if this site answers by itself."""


class Freshness:
    """How far this site is behind, as one process knows it. `keep` finds it out five times a second. Times are compared
    with `now_ms`, the clock of this process.
    """

    def __init__(self, state: Redis, cache: Redis, now_ms: Callable[[], int]) -> None:
        self._state = state
        self._cache = cache
        self._now_ms = now_ms
        self._received_ms = self._repeated_ms = -math.inf

    @property
    def is_current(self) -> bool:
        """Whether this site is at most as far behind as it may be."""
        now = self._now_ms()
        return now - self._repeated_ms <= LATEST_CACHE_MS and now - self._received_ms <= LATEST_STATE_MS

    async def look(self) -> None:
        """Finds out how far this site is behind. If a store does not answer, leaves what is known."""
        try:
            newest, reached = await log.newest_ms(self._state), await repeated.reached(self._cache)
        except RedisDown:
            return
        self._received_ms = newest
        self._repeated_ms = reached.ms if reached else -math.inf

    async def keep(self) -> None:
        """Calls `look` again and again, until this task is cancelled."""
        while True:
            with suppress(Exception):  # a server may answer with an error; until it is asked again, what is known ages
                await self.look()
            await rest(BEAT_S)
