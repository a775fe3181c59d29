"""Waits for new entries in journals with blocking reads, so that a worker without work sends next to nothing to Redis.

A blocking read is answered as soon as an entry is appended. No other command uses its connection meanwhile. Without a
cluster, one read waits for all journals. On a cluster, each journal has a slot of its own, so it needs a read and a
connection of its own.
"""

import asyncio
from collections.abc import Mapping

from domain.versions import entry_id
from store.backoff import rest
from store.keys import Keys
from store.redis.client import Redis
from store.redis.down import FAILURES

_BLOCK = 2.0
"""Seconds after which a server answers a read although no entry has arrived."""
_PAUSE = 0.25
"""Seconds from a failed read until `wait` returns, so that the caller does not try again at once."""

_Partitions = tuple[int, ...]


class Arrivals:
    """The blocking reads with which a worker waits for new journal entries. They go on between two calls of `wait`."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._reads: dict[_Partitions, asyncio.Task[bool]] = {}

    async def wait(self, after: Mapping[int, int], seconds: float, stop: asyncio.Event) -> bool:
        """Waits until a journal has an entry with a higher version than `after` has for its partition, until `stop` is
        set, or for `seconds` seconds. Returns whether there may be new entries; also True if a read has failed.
        """
        wanted = {(p,) for p in after} if self._redis.cluster else {tuple(after)} - {()}
        for partitions in self._reads.keys() - wanted:
            self._reads.pop(partitions).cancel()
        for partitions in wanted - self._reads.keys():
            self._reads[partitions] = asyncio.create_task(self._read({p: after[p] for p in partitions}))
        stopped = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({*self._reads.values(), stopped}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
        ended = [partitions for partitions, read in self._reads.items() if read.done()]
        results = [self._reads.pop(partitions).result() for partitions in ended]
        return any(results)

    async def close(self) -> None:
        """Ends all reads and closes their connections."""
        reads = [*self._reads.values()]
        self._reads.clear()
        for read in reads:
            read.cancel()
        await asyncio.gather(*reads, return_exceptions=True)

    async def _read(self, after: Mapping[int, int]) -> bool:
        """Waits for an entry. Returns True if one has arrived or the read has failed, and False after two seconds."""
        journals = [self._keys.journal(p) for p in after]
        words = ("XREAD", "COUNT", 1, "BLOCK", int(_BLOCK * 1000), "STREAMS", *journals, *map(entry_id, after.values()))
        try:
            return await self._redis.wait_for(journals[0], words, _BLOCK) is not None
        except FAILURES:
            await rest(_PAUSE)
            return True
