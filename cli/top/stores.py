"""Asks Postgres and Redis for their load, the journals, and the destinations of events."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy.exc import DBAPIError

import state
from domain.errors import Unavailable
from models.outgoing import DestinationState
from settings import Settings
from store.outgoing import cursors, destinations
from store.postgres import server
from store.postgres.server import PostgresLoad
from store.redis import servers
from store.redis.servers import RedisLoad
from store.write_log import partition_leases, write_mode
from store.write_log.journal import JournalSize
from store.write_log.partition_leases import LeasedPartition

_TIMEOUT_S = 2.0
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class StoredDestination:
    """A destination of outgoing events, as its rows have it. `reason` says why it is stopped, or why attempts fail;
    `lag_s` is the age of its oldest waiting event, in seconds.
    """

    name: str
    state: DestinationState
    reason: str | None
    lag_s: float


@dataclass(frozen=True, slots=True)
class StoresSample:
    """The answers of the stores at one moment. The answer of a store that did not answer in time is None."""

    postgres: PostgresLoad | None
    redis: Mapping[str, RedisLoad | None] | None
    """The servers of the state Redis, by name."""
    cache: Mapping[str, RedisLoad | None] | None
    """The servers of the cache Redis; empty if there is none."""
    writes_directly: bool | None
    partitions: Sequence[LeasedPartition] | None
    journals: Mapping[int, JournalSize]
    destinations: Sequence[StoredDestination] | None
    read_ms: int


class Stores:
    """The connections of `plaudit top` to the stores. They read, and write nothing."""

    def __init__(self, settings: Settings) -> None:
        self._state = state.build(settings, "top", gates=False)

    async def read(self) -> StoresSample:
        """Reads all stores at the same time. Waits at most 2 seconds for each answer."""
        postgres, redis, cache = self._state.postgres, self._state.redis, self._state.cache.redis
        load, of_state, of_cache, mode, partitions, outgoing = await asyncio.gather(
            _answer(server.read_load(postgres)),
            _answer(servers.loads(redis)),
            _answer(_none() if cache is redis else servers.loads(cache)),
            _answer(write_mode.read(postgres)),
            _answer(partition_leases.every(postgres)),
            _answer(self._destinations()),
        )
        sizes = await _answer(self._state.journals.sizes({one.p: one.head for one in partitions or ()}))
        direct = mode.direct if mode else None
        now_ms = self._state.now_ms()
        return StoresSample(load, of_state, of_cache, direct, partitions, sizes or {}, outgoing, now_ms)

    async def _destinations(self) -> list[StoredDestination]:
        postgres = self._state.postgres
        known = await destinations.read(postgres)
        if not known:
            return []
        waiting = await cursors.oldest_waiting(postgres, range(self._state.settings.partitions))
        failing = await cursors.failing(postgres)
        now_us = self._state.now_ms() * 1000
        lags = {name: max(0.0, (now_us - position) / 1e6) for name, position in waiting.items()}
        return [
            StoredDestination(name, one.state, one.reason or failing.get(name), lags.get(name, 0.0))
            for name, one in known.items()
        ]

    async def close(self) -> None:
        """Closes the connections."""
        await state.close(self._state)


@asynccontextmanager
async def connected(settings: Settings | None) -> AsyncIterator[Stores | None]:
    """Yields connections to the stores of these settings, and closes them at the end; None without settings."""
    stores = Stores(settings) if settings else None
    try:
        yield stores
    finally:
        if stores:
            await stores.close()


async def _none() -> dict[str, RedisLoad | None]:
    return {}


async def _answer(asked: Awaitable[T]) -> T | None:
    """Returns the answer of a store; None if it does not answer in time, refuses, or has no tables."""
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            return await asked
    except (Unavailable, DBAPIError, OSError, TimeoutError):
        return None
