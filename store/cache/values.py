"""Cached values that can be rebuilt: filled under a lease, published with a version, fenced by writers.

Six operations keep a cached value from being older than its reader may see:

- `fill` caches what was read from Postgres, only while its lease is valid;
- `publish` (by workers, after a commit) replaces a value that is no newer, and removes the lease, so that a running
  fill caches nothing;
- `void` (by workers, after a commit) removes a value without a version, and its lease;
- `fence` (by writers, before a commit) removes the value, also from the local cache, and takes the lease, so that no
  fill can cache anything during the commit. If the writer dies, the value is not cached until the lease ends;
- `unfence` (after the commit) allows fills again;
- `drop` (by reconciliation, and after a suspension) removes a wrong value, whatever its version, also from the local
  cache; fills and fences do not prevent it.

All but `fill` go through `change`, `change_with` and `change_in_batches`. If there is a log (store/cache/log.py), these
also record the change there, so that another site repeats it.
"""

import secrets
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from cachetools import TTLCache

from store.cache.local import LocalCache
from store.cache.log import CacheLog
from store.keys import lease
from store.postgres.client import Transaction
from store.redis.calls import ScriptCall
from store.redis.client import Redis, RedisDown
from store.redis.connection import RedisCommand
from store.scripts import CACHED, FILL, PUBLISH, RELEASE, Script
from store.write_log import write_mode

K = TypeVar("K")
V = TypeVar("V")

RENEW_AFTER_S = 86_400

LEASE_MS = 10_000
"""The life of a lease, in milliseconds. It is longer than any read of Postgres or any transaction may take."""


class OtherFormat(Exception):
    """Raised when a cached value has a format that this version of the code does not read. Treat it as not cached."""


class Cached(NamedTuple):
    """A cached value, stored as `<version> <second it was written> <body>`. The version is that of the row.

    A body of another format than 1 is stored as `#<format> <body>`. Increase the format of a document when its body
    changes: during a rolling upgrade, processes read the formats that they know and treat others as not cached.
    """

    version: int
    body: bytes
    written_s: int = 0
    format: int = 1

    @classmethod
    def parse(cls, raw: bytes) -> "Cached":
        """Parses a value as it is stored in Redis."""
        version, written, body = raw.split(b" ", 2)
        if not body.startswith(b"#"):
            return cls(int(version), body, int(written))
        format_, _, body = body.partition(b" ")
        return cls(int(version), body, int(written), int(format_[1:]))

    def stamped(self, now_s: int) -> bytes:
        """Returns what is stored after the version: the second of writing (`now_s`, since the Unix epoch), then the
        body with its format.
        """
        return b"%d %s" % (now_s, self.body) if self.format == 1 else b"%d #%d %s" % (now_s, self.format, self.body)

    def body_in(self, format_: int) -> bytes:
        """Returns the body of the value. Raises OtherFormat if its format is not `format_`."""
        if self.format != format_:
            raise OtherFormat
        return self.body


@dataclass(frozen=True, slots=True)
class Codec(Generic[K, V]):
    """How one kind of value is cached. `key` returns the cache key, `encode` the value as it is cached, and `decode`
    the value again. `absent` is the value of a key that has no row. Metrics show `name`.
    """

    name: str
    key: Callable[[K], str]
    encode: Callable[[V], Cached]
    decode: Callable[[Cached], V]
    absent: V


class Cache:
    """The values that are cached in the cache Redis, which may evict them, and the local copies of this process.
    Methods that use Redis raise RedisDown unless they say otherwise.
    """

    def __init__(self, redis: Redis, now_ms: Callable[[], int], local: LocalCache) -> None:
        self.redis = redis
        self.read_raw = redis.get_many
        """Reads the bytes of keys (`Redis.get_many`). `Cached.parse` parses them."""
        self.local = local
        self.log: CacheLog | None = None
        """Where changes of cached values are recorded for another site; None if there is no other site."""
        self.change: Callable[[Sequence[RedisCommand]], Awaitable[list[Any]]] = partial(redis.gather, write=True)
        """Runs commands that remove or replace cached values because rows change. Returns their answers."""
        self.change_with: Callable[[Script, Sequence[Any], Sequence[ScriptCall]], Awaitable[object]] = redis.run_many
        """Runs a script that removes or replaces cached values because rows change (`Redis.run_many`)."""
        self.change_in_batches = redis.run_batches
        """Runs such a script for batches of calls (`Redis.run_batches`)."""
        self._now_ms = now_ms
        self._renewed: TTLCache[str, None] = TTLCache(100_000, RENEW_AFTER_S)

    @property
    def now_s(self) -> int:
        """Returns the current time of this process's clock, in seconds since the Unix epoch."""
        return self._now_ms() // 1000

    def record_in(self, log: CacheLog) -> None:
        """Records all changes in a log from now on, so that another site repeats them."""
        self.log = log
        self.change, self.change_with, self.change_in_batches = log.change, log.run_many, log.run_batches

    async def void_elsewhere(self, keys: Collection[str]) -> None:
        """Removes changed values from the cache of another site, if there is one. Call it for values that need no
        change here because of what is cached here: at the other site, something else is cached.
        """
        if self.log and keys:
            self.log.note([("DEL", key, lease(key)) for key in keys])
            await self.log.flush()

    async def acquire(self, keys: Sequence[str]) -> "Lease":
        """Tries to take the lease of each key. A lease is the right to cache the key's value (`fill`), for LEASE_MS.
        Returns the lease of those keys whose leases were free and whose servers answered.
        """
        token = f"r{secrets.token_hex(8)}"
        answers = await self.redis.gather(
            [("SET", lease(key), token, "NX", "PX", LEASE_MS) for key in keys], write=True, partly=True
        )
        return Lease(token, frozenset(key for key, granted in zip(keys, answers, strict=True) if granted))

    async def lease_of(self, key: str) -> str | None:
        """Takes the lease of one key, the right to cache its value, and returns the token of the lease. Returns None if
        the lease is taken already or Redis is down.
        """
        try:
            lease = await self.acquire([key])
        except RedisDown:
            return None
        return lease.token if lease.keys else None

    async def fill(self, held: "Lease", values: Iterable[tuple[str, Cached, int]]) -> set[str]:
        """Caches those of the given values whose lease is in `held` and still valid. `values` are (key, value, lifetime
        in ms). Returns the keys that were cached.
        """
        granted = [one for one in values if one[0] in held.keys]
        calls = [
            ((key, lease(key)), (life_ms, value.version, value.stamped(self.now_s))) for key, value, life_ms in granted
        ]
        installed = await self.redis.run_many(FILL, [held.token], calls)
        return {key for (key, _, _), is_cached in zip(granted, installed, strict=True) if is_cached}

    async def cached_among(self, keys: Sequence[str]) -> list[str]:
        """Returns those of the given keys that are cached. Cancels running fills of all given keys, cached or not.

        Only cached values need a publication: a fill that begins later reads the committed rows.
        """
        answers = await self.redis.run_many(CACHED, [], [((key, lease(key)), ()) for key in keys])
        cached = [key for key, is_cached in zip(keys, answers, strict=True) if is_cached]
        if self.log:
            await self.void_elsewhere(set(keys).difference(cached))
        return cached

    async def publish(self, values: Iterable[tuple[str, Cached]], life_ms: int) -> None:
        """Replaces cached values, unless they are newer than the given ones, and sets their lifetimes to `life_ms`.
        `values` are pairs (key, value). Keys that are not cached stay uncached. Cancels running fills of all given
        keys, because they may have read older rows.
        """
        now_s = self.now_s
        calls = [
            ((key, lease(key)), (value.version, b"%d %s" % (value.version, value.stamped(now_s))))
            for key, value in values
        ]
        await self.change_with(PUBLISH, [life_ms], calls)

    async def void(self, keys: Iterable[str]) -> None:
        """Removes changed values that have no version, and cancels running fills of these keys."""
        await self.change([("DEL", key, lease(key)) for key in keys])

    async def drop(self, keys: Iterable[str]) -> None:
        """Removes wrong values, also from the local cache, and cancels running fills of these keys. The fences of
        writers stay.
        """
        wrong = frozenset(keys)
        await self.unfence(Lease("", wrong))
        self.local.drop(wrong)  # reads find no wrong value in Redis from here on

    async def renew(self, keys: Iterable[str], life_ms: int) -> None:
        """Prolongs the lifetimes of these values to `life_ms`, except those that this process has prolonged within the
        last day.
        """
        due = [key for key in keys if key not in self._renewed]
        self._renewed.update(dict.fromkeys(due))
        await self.redis.gather([("PEXPIRE", key, life_ms) for key in due], write=True)

    async def fence(self, transaction: Transaction, keys: Sequence[str]) -> "Lease":
        """Removes values and prevents all processes from caching them, until `unfence` or the end of the lease
        (LEASE_MS). Returns the fence, to pass to `unfence`. Raises RedisDown.

        Call it inside a transaction, after the rows were written: only outgoing events and the commit may follow. The
        call waits for Redis, so no locks for which many transactions wait may be held, as those of outgoing events are.
        If the commit fails, leave the fence until its lease ends, because the outcome is unknown.

        While writes go directly to Postgres, cached values are not used. Then this call returns UNFENCED, and locks the
        write mode until the transaction ends; raises Moved if the mode is no longer direct (`write_mode.hold`).
        """
        if self.redis.is_suspended:
            await write_mode.hold(transaction)
            self.local.drop(keys)
            return UNFENCED
        token = f"w{secrets.token_hex(8)}"
        commands: list[tuple[object, ...]] = []
        for key in keys:
            commands += [("SET", lease(key), token, "PX", LEASE_MS), ("DEL", key)]
        await self.change(commands)
        self.local.drop(keys)  # reads find no old value in Redis from here on
        return Lease(token, frozenset(keys))

    async def unfence(self, fence: "Lease") -> None:
        """Allows all processes to cache the fenced keys again. Call it after the commit. Removes values that were
        cached in spite of the fence, and cancels running fills. The fences of other writers stay.
        """
        calls: list[tuple[Sequence[str], Sequence[object]]] = [((key, lease(key)), ()) for key in fence.keys]
        await self.change_with(RELEASE, [fence.token], calls)


@dataclass(frozen=True, slots=True)
class Lease:
    """A lease of some keys: a reader's right to cache their values (`Cache.fill`), or a writer's fence, which prevents
    that (`Cache.fence`). `token` identifies the holder.
    """

    token: str
    keys: frozenset[str]


UNFENCED = Lease("", frozenset())
"""The fence of a write that fenced nothing."""
