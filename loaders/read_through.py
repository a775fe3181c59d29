"""Reads values from Redis, else from Postgres. Caches the values from Postgres, unless they changed during the read.
All requests of a process share its `ReadThrough` objects.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from loaders.loader import all_of
from observability import metrics
from store.cache.values import RENEW_AFTER_S, Cache, Cached, Codec, Lease, OtherFormat
from store.groups import grouped
from store.postgres.client import PostgresDown
from store.redis.client import RedisDown

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T = TypeVar("T")

NEGATIVE_MS = 30_000
"""How long the cache remembers that something does not exist, in milliseconds."""
_MOST_DECODED = 4096


@dataclass(frozen=True, slots=True)
class _Loaded(Generic[V]):
    """A value that was read from Postgres. `current` tells whether the value is known not to have changed during the
    read.
    """

    value: V
    current: bool


class ReadThrough(Generic[K, V]):
    """A read-through cache of one kind of value. While a request reads a key from Postgres, other requests that need
    the key wait for the result.
    """

    def __init__(
        self,
        cache: Cache,
        codec: Codec[K, V],
        truth: Callable[[Sequence[K]], Awaitable[Mapping[K, V]]],
        life_ms: Callable[[K], int],
        *,
        local: bool = True,
    ) -> None:
        """Makes the cache. `codec` names the cache keys and encodes the values. `truth` reads values from Postgres.
        `life_ms` returns for how many milliseconds the value of a key is cached; that nothing exists is cached for
        `NEGATIVE_MS`.

        With `local`, all viewers are shown the same value, so that the process may keep local copies of hot values
        (`store/cache/local.py`).
        """
        self._cache = cache
        self._codec = codec
        self._truth = truth
        self._life_ms = life_ms
        self._local = local
        self._name = lru_cache(_MOST_DECODED)(codec.key)
        self._decoded: dict[K, tuple[bytes, tuple[V, int]]] = {}
        self._under_way: dict[K, asyncio.Future[_Loaded[V] | None]] = {}
        outcomes = "local", "hit", "miss"
        self._local_reads, self._hits, self._misses = (metrics.CACHE_READS.labels(codec.name, one) for one in outcomes)

    async def get_many(self, keys: Sequence[K]) -> list[V]:
        """Returns the values in the order of their keys. Raises PostgresDown if a value is not cached and Postgres is
        down.
        """
        return all_of(await self.get_each(keys))

    async def cached(self, key: K) -> V | None:
        """Returns the value of a key from Redis; None if it is not cached there, or if Redis is down. Never reads
        Postgres.
        """
        (read,) = await self._cached([key], [self._name(key)])
        return read[0] if read else None

    async def get_each(
        self, keys: Sequence[K], *, local: bool = True, fresh: Collection[object] = ()
    ) -> list[V | PostgresDown]:
        """Returns values in the order of their keys, with PostgresDown in the place of each value that neither Redis
        nor Postgres can answer.

        Local copies of the keys in `fresh` are never used. Without `local`, no local copies are used, and a value that
        is cached as None is read from Postgres again.
        """
        names = list(map(self._name, keys))
        if not self._local:
            return await self._get_each(keys, names, sure=not local)
        asked = self._cache.local.clock()
        copies: dict[str, V | PostgresDown] = self._cache.local.find(names, asked)
        if not local:
            copies = {}
        elif copies and fresh:
            copies = {n: copies[n] for key, n in zip(keys, names, strict=True) if n in copies and key not in fresh}
        if not copies:
            return await self._get_each(keys, names, asked, sure=not local)
        self._local_reads.inc(len(copies))
        if far := [at for at, name in enumerate(names) if name not in copies]:
            rest = [keys[at] for at in far], [names[at] for at in far]
            copies |= zip(rest[1], await self._get_each(*rest, asked), strict=True)
        return [copies[name] for name in names]

    async def _get_each(
        self, keys: Sequence[K], names: Sequence[str], asked: float | None = None, *, sure: bool = False
    ) -> list[V | PostgresDown]:
        """Reads values from Redis, then from Postgres. PostgresDown is in the place of a value that neither can answer.

        If `asked`, the time at which the read began, is given, keeps local copies. Never keeps a copy that says that an
        object does not exist, because the object may be created through another process. With `sure`, a value that is
        cached as None is read from Postgres again.
        """
        read = await self._cached(keys, names)
        if sure:
            read = [None if one and one[0] is None else one for one in read]
        if asked is not None:
            present = ((name, one[0]) for name, one in zip(names, read, strict=True) if one and one[0] is not None)
            self._cache.local.keep(present, asked)
        missing: Sequence[K] = ()
        if None in read:
            missing = list(dict.fromkeys(key for key, one in zip(keys, read, strict=True) if one is None))
        self._hits.inc(len(keys) - len(missing))
        found: Mapping[K, V | PostgresDown] = {}
        if missing:
            self._misses.inc(len(missing))
            try:
                found = await self._once(missing)
            except PostgresDown as error:
                found = dict.fromkeys(missing, error)
        old_s = self._cache.now_s - RENEW_AFTER_S
        if any(one and one[1] < old_s for one in read):
            await self._renew([(key, one[0]) for key, one in zip(keys, read, strict=True) if one and one[1] < old_s])
        return [found[key] if one is None else one[0] for key, one in zip(keys, read, strict=True)]

    async def _cached(self, keys: Sequence[K], names: Sequence[str]) -> list[tuple[V, int] | None]:
        """Reads values from Redis. Returns each value and the time in seconds at which it was cached; None for a value
        that is not cached, or that has a format that this process does not know. While Redis is down, the result is
        None for all keys.
        """
        try:
            raw = await self._cache.read_raw(names)
        except RedisDown:
            return [None] * len(names)
        known = map(self._decoded.get, keys)
        return [
            old[1] if old is not None and old[0] == one else self._decode(key, one)
            for key, one, old in zip(keys, raw, known, strict=True)
        ]

    def _decode(self, key: K, raw: bytes | None) -> tuple[V, int] | None:
        """Decodes cached bytes, and keeps the result for the next read of equal bytes. Returns None for no bytes, and
        for a format that this process does not know.
        """
        if raw is None:
            return None
        cached = Cached.parse(raw)
        if len(self._decoded) >= _MOST_DECODED:
            self._decoded.clear()
        try:
            read = self._codec.decode(cached), cached.written_s
        except OtherFormat:
            return None
        self._decoded[key] = raw, read
        return read

    async def _once(self, keys: Sequence[K]) -> dict[K, V]:
        """Reads values from Postgres by their keys, each key once for all requests that need it. If a value may have
        changed while one request read it, the requests that waited for the value use a later read.
        """
        values = await self._join_or_lead(keys, overtaken_too=False)
        # A read that runs now began after this request asked, so it sees every write that this request must see.
        values |= await self._join_or_lead([key for key in keys if key not in values], overtaken_too=True)
        return values | await self._lead([key for key in keys if key not in values])

    async def _join_or_lead(self, keys: Iterable[K], *, overtaken_too: bool) -> dict[K, V]:
        """Returns values from Postgres. Waits for the keys that other requests are reading, and reads the other keys
        itself. The result lacks a key whose read by another request was cancelled. Without `overtaken_too`, it also
        lacks a key whose value may have changed while another request read it. Raises the exception of a read that
        failed.
        """
        joined = {key: self._under_way[key] for key in keys if key in self._under_way}
        values = await self._lead([key for key in keys if key not in joined])
        for key, future in joined.items():
            loaded = await asyncio.shield(future)
            if loaded and (loaded.current or overtaken_too):
                values[key] = loaded.value
        return values

    async def _lead(self, keys: list[K]) -> dict[K, V]:
        """Reads keys from Postgres and caches the values. Other requests that need the keys can wait for the result
        meanwhile.
        """
        if not keys:
            return {}
        loop = asyncio.get_running_loop()
        futures = {key: loop.create_future() for key in keys}
        self._under_way |= futures
        loaded: dict[K, _Loaded[V]] = {}
        failure: Exception | None = None
        try:
            loaded = await self._fill(keys)
        except Exception as error:
            failure = error
            raise
        finally:
            for key, future in futures.items():
                _conclude(future, loaded.get(key), failure)
                if self._under_way.get(key) is future:
                    del self._under_way[key]
        return {key: one.value for key, one in loaded.items()}

    async def _fill(self, keys: list[K]) -> dict[K, _Loaded[V]]:
        """Reads values from Postgres. Caches each value that this call may cache (it got the lease of the key), unless
        the value changed during the read.
        """
        lease = await self._lease(keys)
        truth = await self._truth(keys)
        values = {key: truth.get(key, self._codec.absent) for key in keys}
        installed = await self._install(lease, values) if lease else None
        return {
            key: _Loaded(value, installed is not None and self._name(key) in installed) for key, value in values.items()
        }

    async def _lease(self, keys: list[K]) -> Lease | None:
        try:
            return await self._cache.acquire(list(map(self._name, keys)))
        except RedisDown:
            return None

    async def _install(self, lease: Lease, values: dict[K, V]) -> set[str] | None:
        """Caches values that were read under a lease. Returns the cache keys that were filled, or None if Redis is
        down.
        """
        fills = [(self._name(k), self._codec.encode(v), self._life(k, v)) for k, v in values.items()]
        try:
            return await self._cache.fill(lease, fills)
        except RedisDown:
            return None

    async def _renew(self, old: Iterable[tuple[K, V]]) -> None:
        """Prolongs the time for which values that were cached long ago stay cached."""
        for life_ms, names in grouped((self._life(key, value), self._name(key)) for key, value in old).items():
            with suppress(RedisDown):  # a cache that cannot be written to is a slower cache, not an error
                await self._cache.renew(names, life_ms)

    def _life(self, key: K, value: V) -> int:
        return NEGATIVE_MS if value is None else self._life_ms(key)


def _conclude(future: "asyncio.Future[T | None]", loaded: T | None, failure: Exception | None) -> None:
    """Passes the result of a read to the requests that wait for it: the value, or the exception. None means that the
    read was cancelled, and that the waiting requests must read the key themselves.
    """
    if failure is None:
        future.set_result(loaded)
        return
    future.set_exception(failure)
    future.exception()  # no request may be waiting
