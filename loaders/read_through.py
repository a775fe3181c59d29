"""One kind of cached value: Redis, then Postgres, then installed under a lease. Shared by all requests of a process."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import metrics
from store.cache import Cache, Cached, Lease
from store.redis import RedisDown

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Kind(Generic[K, V]):
    """What there is to know about a kind of value. `life_ms` also gets the value: negatives live shorter."""

    name: str
    key: Callable[[K], str]
    decode: Callable[[Cached], V]
    encode: Callable[[V], Cached]
    truth: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]]
    absent: V
    life_ms: Callable[[K, V], int]


class ReadThrough(Generic[K, V]):
    """Answers many keys at once. A key being read from truth by one request is not read again by another."""

    def __init__(self, cache: Cache, kind: Kind[K, V]) -> None:
        self._cache = cache
        self._kind = kind
        self._under_way: dict[K, asyncio.Future[V]] = {}

    async def get_many(self, keys: Sequence[K]) -> list[V]:
        """Values in the order of their keys. Raises PostgresDown where neither store can answer."""
        cached = await self._cached(keys)
        found = {key: self._kind.decode(value) for key, value in zip(keys, cached, strict=True) if value}
        missing = list(dict.fromkeys(key for key in keys if key not in found))
        metrics.CACHE_READS.labels(self._kind.name, "hit").inc(len(keys) - len(missing))
        if missing:
            metrics.CACHE_READS.labels(self._kind.name, "miss").inc(len(missing))
            found |= await self._once(missing)
        await self._renew(keys, cached)
        return [found[key] for key in keys]

    async def _cached(self, keys: Sequence[K]) -> list[Cached | None]:
        try:
            return await self._cache.get_many([self._kind.key(key) for key in keys])
        except RedisDown:
            return [None] * len(keys)

    async def _once(self, keys: Iterable[K]) -> dict[K, V]:
        """Each key from truth, by whoever asked first."""
        theirs = {key: self._under_way[key] for key in keys if key in self._under_way}
        mine = [key for key in keys if key not in theirs]
        loop = asyncio.get_running_loop()
        self._under_way |= {key: loop.create_future() for key in mine}
        values: dict[K, V] = {}
        if mine:
            values = await self._fulfil(mine)
        return values | {key: await asyncio.shield(future) for key, future in theirs.items()}

    async def _fulfil(self, keys: list[K]) -> dict[K, V]:
        futures = {key: self._under_way[key] for key in keys}
        try:
            values = await self._fill(keys)
        except BaseException as error:
            for future in futures.values():
                future.set_exception(error if isinstance(error, Exception) else RedisDown())
                future.exception()  # nobody else may be waiting for it
            raise
        else:
            for key, future in futures.items():
                future.set_result(values[key])
            return values
        finally:
            for key in keys:
                del self._under_way[key]

    async def _fill(self, keys: list[K]) -> dict[K, V]:
        """Values from truth; installed where a lease was granted and nothing was published meanwhile."""
        lease = await self._lease(keys)
        truth = await self._kind.truth(keys)
        values = {key: truth.get(key, self._kind.absent) for key in keys}
        if lease:
            fills = [(self._kind.key(k), self._kind.encode(v), self._kind.life_ms(k, v)) for k, v in values.items()]
            await _despite_redis(self._cache.fill(lease, fills))
        return values

    async def _lease(self, keys: list[K]) -> Lease | None:
        try:
            return await self._cache.acquire([self._kind.key(key) for key in keys])
        except RedisDown:
            return None

    async def _renew(self, keys: Sequence[K], cached: Sequence[Cached | None]) -> None:
        by_life: dict[int, list[str]] = {}
        for key, value in zip(keys, cached, strict=True):
            if value and self._cache.is_old(value):
                life_ms = self._kind.life_ms(key, self._kind.decode(value))
                by_life.setdefault(life_ms, []).append(self._kind.key(key))
        for life_ms, old in by_life.items():
            await _despite_redis(self._cache.renew(old, life_ms))


async def _despite_redis(write: Awaitable[None]) -> None:
    """A cache that cannot be written to is a slower cache, not an error."""
    try:
        await write
    except RedisDown:
        metrics.CACHE_READS.labels("any", "not_installed").inc()
