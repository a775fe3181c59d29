"""A relay: repeats the changes that the write site makes to cached values, in the cache Redis of a reading
site (ADR 104).

`plaudit worker` runs as a relay if `other_site` is set and its Postgres is a standby. A relay needs replicas of
Postgres and of the state Redis, and a cache Redis of its own, all at the reading site.
"""

import asyncio
import secrets
import time
from contextlib import suppress
from functools import partial
from itertools import takewhile

from domain.errors import Unavailable
from observability import metrics
from observability.logs import Log
from state import State
from store.backoff import pause, rest
from store.cache import log as cache_log
from store.cache import repeated
from store.cache.values import LEASE_MS
from workers.repeating import repeat_every
from workers.suggestions import refresh_suggestions

log = Log(__name__)

_MOST = 100
"""The most entries that are repeated before the progress is stored."""
_POLL = 0.01
"""Seconds between two questions how far Postgres has replayed the WAL."""
_LONGEST_WAIT = 1.0
"""The most seconds for which a step waits for Postgres."""
_LONGEST_PAUSE = 1.0
"""The longest pause in seconds before a failed step is repeated."""
_TURN_INTERVAL = 0.5
"""Seconds between two looks whether another relay works no longer."""
_SUGGEST_INTERVAL, _MEASURE_INTERVAL = 0.5, 5.0
"""Seconds between two steps that compute suggestions, and between two measurements of the lag of Postgres."""


class Relay:
    """A relay, with the state of its process. `run` calls `step` until it is stopped. The progress is stored in the
    cache, so another relay may continue. Of several relays at a site, one works, and the others wait for its end.
    """

    def __init__(self, state: State) -> None:
        self._state = state
        self._cache = state.cache.redis
        self.name = secrets.token_hex(8)

    async def run(self, stop: asyncio.Event) -> None:
        """Calls `step` until `stop` is set. Calls a failed step again after a pause. Meanwhile computes the suggestions
        for readers of this site.
        """
        others = [
            asyncio.create_task(repeat_every(step, every, failed))
            for step, every, failed in (
                (partial(refresh_suggestions, self._state), _SUGGEST_INTERVAL, "could not compute suggestions"),
                (self._measure, _MEASURE_INTERVAL, "could not measure the lag of Postgres"),
            )
        ]
        try:
            await self._run_steps(stop)
        finally:
            for other in others:
                other.cancel()
            await asyncio.gather(*others, return_exceptions=True)
            metrics.SITE_LAG.clear()
        with suppress(Unavailable):  # the turn ends by itself
            await repeated.leave(self._cache, self.name)

    async def _run_steps(self, stop: asyncio.Event) -> None:
        failures = 0
        while not stop.is_set():
            try:
                await self.step()
                failures = 0
            except Exception as error:  # noqa: BLE001 - no failure may end a relay
                failures += 1
                log.warning("a store is down; trying again", error=repr(error), failures=failures)
                await rest(pause(failures, _LONGEST_PAUSE))

    async def step(self) -> int:
        """Repeats the next entries of the log for which Postgres has the rows. Waits for a moment if there are none, or
        if another relay of this site works.

        Begins with an empty cache if the log no longer has the next entry, if an entry says that changes are missing,
        if the log is on other servers than before, which may lack entries, or if this site is further behind than the
        life of a fence: the writer of an entry may have died, and a reader may have cached a value before Postgres had
        the new row.

        Returns the number of repeated entries. Raises RedisDown and PostgresDown.
        """
        if not await repeated.has_turn(self._cache, self.name):
            await rest(_TURN_INTERVAL)
            return 0
        redis, servers = self._state.redis, repeated.names(self._state.write_mode.current.verified)
        reached = await repeated.reached(self._cache)
        if reached is None or reached.servers != servers:
            return await self._begin(servers)
        entries = await cache_log.read(redis, reached.id, _MOST)
        if entries is None or any(entry.lacks_changes for entry in entries):
            return await self._begin(servers)
        if not entries:
            await cache_log.wait(redis, reached.id)
            return 0
        position = await self._replayed(entries[0].position)
        ready = [*takewhile(lambda entry: entry.position <= position, entries)]
        if ready and ready[0].ms < self._state.now_ms() - LEASE_MS:
            return await self._begin(servers)
        await repeated.repeat(self._cache, ready, servers)
        return len(ready)

    async def _begin(self, servers: str) -> int:
        """Empties the cache, and begins with the newest entry of the log. Does nothing if the log is empty, or if
        Postgres does not have the rows of this entry in time. Returns 0, the number of repeated entries.
        """
        entry = await cache_log.newest(self._state.redis)
        if entry is None:
            await rest(_LONGEST_WAIT)
        elif await self._replayed(entry.position) >= entry.position:
            await repeated.begin(self._cache, self._state.redis, entry, servers)
            log.warning("the cache was emptied, because it may lack changes", entry=entry.id)
        return 0

    async def _measure(self) -> None:
        metrics.SITE_LAG.labels("postgres").set(await cache_log.replay_lag(self._state.postgres))

    async def _replayed(self, position: int) -> int:
        """Waits until Postgres has replayed the WAL up to `position`, but at most for a second. Returns how far it has
        replayed it.
        """
        until = time.monotonic() + _LONGEST_WAIT
        while (reached := await cache_log.replayed(self._state.postgres)) < position and time.monotonic() < until:
            await rest(_POLL)
        return reached
