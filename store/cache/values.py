"""Values that can be rebuilt: read through, filled under a lease, published with a version, fenced by writers.

Six operations keep a cached value from ever being older than what its reader is owed:
- `fill` installs what was read from truth only while its lease stands;
- `publish` (workers, after a commit) replaces a value that is no newer and voids the lease: a fill under way installs
  nothing;
- `void` (workers, after a commit) removes a value without a version, and the lease with it;
- `fence` (writers, before a commit) removes the value, its process's copy too, and holds the lease itself, so that
  nothing can be installed while the commit is under way; a writer that dies leaves the value cold for the lease's life,
  and never stale;
- `unfence` after the commit lets fills begin again;
- `drop` (reconciliation) removes what is wrong, whatever its version, and neither fill nor fence gets in its way.
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from cachetools import TTLCache

from store.cache.local import LocalCache
from store.keys import lease
from store.postgres.client import Transaction
from store.redis.client import Redis, RedisDown
from store.scripts import CACHED, FILL, PUBLISH, RELEASE
from store.write_log import write_mode

RENEW_AFTER_S = 86_400

LEASE_MS = 10_000
"""Longer than any read of truth or any transaction may take."""


class OtherFormat(Exception):
    """A cached body has a format that this version of the code does not read."""


class Cached(NamedTuple):
    """A cached value, stored as `<version> <second it was written> <body>`. Its version is that of the rows.

    A body of another format than 1 is stored as `#<format> <body>`. Raise the format of a document when its body
    changes: during a rolling upgrade processes read the formats that they know, and treat others as not cached.
    """

    version: int
    body: bytes
    written_s: int = 0
    format: int = 1

    @classmethod
    def parse(cls, raw: bytes) -> "Cached":
        """Parses the value of a key."""
        version, written, body = raw.split(b" ", 2)
        if not body.startswith(b"#"):
            return cls(int(version), body, int(written))
        format_, _, body = body.partition(b" ")
        return cls(int(version), body, int(written), int(format_[1:]))

    def stamped(self, now_s: int) -> bytes:
        """Returns the body behind the second at which it is written, as the scripts store it behind the version."""
        return b"%d %s" % (now_s, self.body) if self.format == 1 else b"%d #%d %s" % (now_s, self.format, self.body)

    def body_in(self, format_: int) -> bytes:
        """Returns the body. Raises OtherFormat if it has another format than this one."""
        if self.format != format_:
            raise OtherFormat
        return self.body


class Cache:
    """The logical Redis of everything that may be evicted, and what this process keeps near of it."""

    def __init__(self, redis: Redis, now_ms: Callable[[], int], local: LocalCache) -> None:
        self.redis = redis
        self.local = local
        self._now_ms = now_ms
        self._renewed: TTLCache[str, None] = TTLCache(100_000, RENEW_AFTER_S)

    @property
    def now_s(self) -> int:
        """This process's clock, in seconds."""
        return self._now_ms() // 1000

    async def get_many(self, keys: Sequence[str]) -> list[Cached | None]:
        """What is cached under each key, in one round trip; None is cold, never empty."""
        return [raw and Cached.parse(raw) for raw in await self.read_raw(keys)]  # type: ignore[misc]

    async def read_raw(self, keys: Sequence[str]) -> list[bytes | None]:
        """The bytes that are cached under each key, in one round trip; None where there are none."""
        return await self.redis.get_many(keys)

    async def acquire(self, keys: Sequence[str]) -> "Lease":
        """Tries for the lease of each key; those somebody else holds are not granted."""
        token = f"r{secrets.token_hex(8)}"
        answers = await self.redis.gather(
            [("SET", lease(key), token, "NX", "PX", LEASE_MS) for key in keys], write=True
        )
        return Lease(token, frozenset(key for key, granted in zip(keys, answers, strict=True) if granted))

    async def lease_of(self, key: str) -> str | None:
        """The token of one key's lease; None where somebody else holds it, or Redis cannot be asked."""
        try:
            lease = await self.acquire([key])
        except RedisDown:
            return None
        return lease.token if lease.keys else None

    async def fill(self, held: "Lease", values: Iterable[tuple[str, Cached, int]]) -> set[str]:
        """Installs (key, value, life in ms) where the lease is held and still stands. Returns the keys installed."""
        granted = [one for one in values if one[0] in held.keys]
        calls = [
            ((key, lease(key)), (life_ms, value.version, value.stamped(self.now_s))) for key, value, life_ms in granted
        ]
        installed = await self.redis.run_many(FILL, [held.token], calls)
        return {key for (key, _, _), stood in zip(granted, installed, strict=True) if stood}

    async def cached_among(self, keys: Sequence[str]) -> list[str]:
        """The keys whose values are to be published; whoever fills the others reads what is committed by now."""
        there = await self.redis.run_many(CACHED, [], [((key, lease(key)), ()) for key in keys])
        return [key for key, is_cached in zip(keys, there, strict=True) if is_cached]

    async def publish(self, values: Iterable[tuple[str, Cached]], life_ms: int) -> None:
        """Replaces cached values that are no newer; keys that are cold stay cold."""
        now_s = self.now_s
        calls = [
            ((key, lease(key)), (value.version, b"%d %s" % (value.version, value.stamped(now_s))))
            for key, value in values
        ]
        await self.redis.run_many(PUBLISH, [life_ms], calls)

    async def void(self, keys: Iterable[str]) -> None:
        """Removes values, and fills under way install nothing. For what has no version, once it has changed."""
        await self.redis.gather([("DEL", key, lease(key)) for key in keys], write=True)

    async def drop(self, keys: Iterable[str]) -> None:
        """Removes values that are wrong, and fills under way install nothing; writers keep their fences."""
        await self.unfence(Lease("", frozenset(keys)))

    @property
    def old_s(self) -> int:
        """The second before which a value was written that deserves a longer life, if it is still being read."""
        return self.now_s - RENEW_AFTER_S

    async def renew(self, keys: Iterable[str], life_ms: int) -> None:
        """Prolongs the life of values that are read long after they were written; once a day from one process."""
        due = [key for key in keys if key not in self._renewed]
        self._renewed.update(dict.fromkeys(due))
        await self.redis.gather([("PEXPIRE", key, life_ms) for key in due], write=True)

    async def fence(self, transaction: Transaction, keys: Sequence[str]) -> "Lease":
        """Removes the values and keeps everybody from installing them, until `unfence` or the lease's end.

        To be called inside a transaction, as the last thing before its commit. One that fails is left to its lease:
        nobody knows whether it committed. While writes are direct nothing is cached that will be believed.
        """
        if self.redis.is_aside:
            await write_mode.hold(transaction)
            self.local.drop(keys)
            return UNFENCED
        token = f"w{secrets.token_hex(8)}"
        commands: list[tuple[object, ...]] = []
        for key in keys:
            commands += [("SET", lease(key), token, "PX", LEASE_MS), ("DEL", key)]
        await self.redis.gather(commands, write=True)
        self.local.drop(keys)  # now that no read can find what was there
        return Lease(token, frozenset(keys))

    async def unfence(self, fence: "Lease") -> None:
        """After the commit: lets the fenced keys be filled again."""
        calls: list[tuple[Sequence[str], Sequence[object]]] = [((key, lease(key)), ()) for key in fence.keys]
        await self.redis.run_many(RELEASE, [fence.token], calls)


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to fill these keys."""

    token: str
    keys: frozenset[str]


UNFENCED = Lease("", frozenset())
"""What ends without anything having been fenced."""
