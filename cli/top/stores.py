"""What the stores themselves know about a running system: their load, the journals and the destinations of events."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

from domain.errors import Unavailable
from domain.ids import wall_clock_ms
from models.outgoing import DestinationState
from settings import Settings
from store.keys import Keys
from store.outgoing import cursors, destinations
from store.postgres import client as postgres
from store.postgres import server
from store.postgres.client import Postgres
from store.postgres.server import PostgresLoad
from store.redis import servers
from store.redis.client import Redis, connect_both
from store.redis.servers import RedisLoad
from store.write_log import partition_leases, write_mode
from store.write_log.journal import Journals, JournalSize
from store.write_log.partition_leases import LeasedPartition

_TIMEOUT_S = 2.0
_CONNECTIONS = 4
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Destination:
    """A destination of outgoing events: its state, why it is in this state, and the age of its oldest waiting event."""

    name: str
    state: DestinationState
    reason: str | None
    lag_s: float


@dataclass(frozen=True, slots=True)
class StoresSample:
    """What the stores answered at one moment. What they did not answer is None."""

    postgres: PostgresLoad | None
    redis: Mapping[str, RedisLoad | None] | None
    """The servers of the state Redis, by name."""
    cache: Mapping[str, RedisLoad | None] | None
    """The servers of the cache Redis; empty if there is none."""
    writes_directly: bool | None
    partitions: Sequence[LeasedPartition] | None
    journals: Mapping[int, JournalSize]
    destinations: Sequence[Destination] | None
    read_ms: int


class Stores:
    """The connections of `plaudit top` to the stores. They read, and write nothing."""

    def __init__(self, settings: Settings) -> None:
        few = settings.model_copy(update={"database_connections": _CONNECTIONS})
        self._postgres: Postgres = postgres.connect(few, "top")
        self._redis: Redis
        self._redis, self._cache = connect_both(settings)
        self._partitions = range(settings.partitions)
        self._journals = Journals(self._redis, Keys(settings.partitions))

    async def read(self) -> StoresSample:
        """Reads all stores at the same time. Waits at most 2 seconds for each."""
        load, redis, cache, mode, partitions, outgoing = await asyncio.gather(
            _answer(server.read_load(self._postgres)),
            _answer(servers.loads(self._redis)),
            _answer(self._cache_loads()),
            _answer(write_mode.read(self._postgres)),
            _answer(partition_leases.every(self._postgres)),
            _answer(self._destinations()),
        )
        sizes = await _answer(self._journals.sizes({one.p: one.head for one in partitions or ()}))
        direct = mode.direct if mode else None
        return StoresSample(load, redis, cache, direct, partitions, sizes or {}, outgoing, wall_clock_ms())

    async def _cache_loads(self) -> Mapping[str, RedisLoad | None]:
        return {} if self._cache is self._redis else await servers.loads(self._cache)

    async def _destinations(self) -> list[Destination]:
        known = await destinations.read(self._postgres)
        waiting = await cursors.oldest_waiting(self._postgres, self._partitions) if known else {}
        now_us = wall_clock_ms() * 1000
        lags = {name: max(0.0, (now_us - position) / 1e6) for name, position in waiting.items()}
        return [Destination(one.name, one.state, one.reason, lags.get(one.name, 0.0)) for one in known.values()]

    async def close(self) -> None:
        """Closes the connections."""
        await asyncio.gather(self._postgres.close(), *[one.close() for one in {self._redis, self._cache}])


@asynccontextmanager
async def connected(settings: Settings | None) -> AsyncIterator[Stores | None]:
    """Yields connections to the stores of these settings, and closes them at the end; None without settings."""
    stores = Stores(settings) if settings else None
    try:
        yield stores
    finally:
        if stores:
            await stores.close()


async def _answer(asked: Awaitable[T]) -> T | None:
    """Returns the answer of a store; None if it does not answer in time, refuses, or has no tables."""
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            return await asked
    except (Unavailable, DBAPIError, OSError, TimeoutError):
        return None
