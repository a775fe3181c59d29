"""How far a reading site is behind the write site, and whether a site is drained (ADR 104)."""

import math
from collections.abc import Callable
from contextlib import suppress

from observability import metrics
from store.backoff import rest
from store.cache import log, repeated
from store.keys import drained
from store.redis.client import Redis, RedisDown
from store.write_log.write_mode import Mode, WriteMode

BEAT_S = 0.2
"""Seconds between two entries of the log of cache changes, also if nothing changes."""
LATEST_CACHE_MS, LATEST_STATE_MS = 2000, 600
"""How old the newest repeated entry of the log, and the newest received one, may be if this site answers by itself."""
TRUST_S = 60.0
"""Seconds after the newest received entry of the log for which a reading site believes that the mode is still
synchronous. `plaudit site asynchronous` waits for so long if the other site receives no writes.
"""


def is_synchronous(mode: Mode) -> bool:
    """Returns whether a write is acknowledged only when the state Redis of the reading site has it."""
    return mode.replicas > 0


class Freshness:
    """How far this site is behind, as one process knows it. `keep` finds it out five times a second. Times are compared
    with `now_ms`, the clock of this process.
    """

    def __init__(self, state: Redis, cache: Redis, write_mode: WriteMode, now_ms: Callable[[], int]) -> None:
        self._state = state
        self._cache = cache
        self._write_mode = write_mode
        self._now_ms = now_ms
        self._received_ms = self._repeated_ms = -math.inf
        self._is_exported = False

    @property
    def is_current(self) -> bool:
        """Whether this site is at most as far behind as it may be."""
        return self._now_ms() - self._repeated_ms <= LATEST_CACHE_MS and self._has_newest_changes

    @property
    def has_boundaries(self) -> bool:
        """Whether this site, which takes no writes, has all blocks that count: it has received them in time, or writes
        wait for them. A site that has released the writes receives nothing.
        """
        if not self._write_mode.only_reads:
            return False
        may_trust = is_synchronous(self._write_mode.current) and self._now_ms() - self._received_ms <= TRUST_S * 1000
        return may_trust or self._has_newest_changes

    @property
    def stale_seconds(self) -> int | None:
        """How many seconds ago this site had all changes, rounded up; None if it never had them."""
        newest = min(self._received_ms, self._repeated_ms)
        return math.ceil((self._now_ms() - newest) / 1000) if newest > -math.inf else None

    @property
    def _has_newest_changes(self) -> bool:
        return self._now_ms() - self._received_ms <= LATEST_STATE_MS

    async def look(self) -> None:
        """Finds out how far this site is behind. If a store does not answer, leaves what is known."""
        try:
            newest, reached = await log.newest_ms(self._state), await repeated.reached(self._cache)
        except RedisDown:
            return
        self._received_ms = newest
        self._repeated_ms = reached.ms if reached else -math.inf

    async def keep(self) -> None:
        """Calls `look` again and again, until this task is cancelled, and exports what it has found."""
        while True:
            with suppress(Exception):  # a server may answer with an error; until it is asked again, what is known ages
                await self.look()
            self._export()
            await rest(BEAT_S)

    def _export(self) -> None:
        if not self._write_mode.only_reads:
            if self._is_exported:
                metrics.SITE_LAG.clear()
            self._is_exported = False
            return
        self._is_exported = True
        for store, newest in (("redis", self._received_ms), ("cache", self._repeated_ms)):
            metrics.SITE_LAG.labels(store).set(max(0.0, (self._now_ms() - newest) / 1000))


async def drain(cache: Redis) -> None:
    """Lets load balancers send no clients to this site. Raises RedisDown."""
    await cache("SET", drained(), 1, write=True)


async def undrain(cache: Redis) -> None:
    """Lets load balancers send clients to this site again. Raises RedisDown."""
    await cache("DEL", drained(), write=True)


async def is_drained(cache: Redis) -> bool:
    """Returns whether this site is drained. Raises RedisDown."""
    return await cache("GET", drained()) is not None
