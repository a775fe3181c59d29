"""The log of the changes of cached values. Another site repeats these changes in a cache Redis of its own (ADR 104).

The log is one stream in the state Redis, so a replica of the state Redis has it too. An entry has the changes that
writers and workers have made to cached values, in their order, and a *position*: how far Postgres had written its WAL
after the rows of these changes were committed. A replica of Postgres that has replayed the WAL up to the position has
these rows. So whoever repeats an entry then, and not sooner, never lets a reader cache a value that is older than the
entry.

Changes are recorded as the scripts and commands that made them, with complete keys. All of them may be repeated, and
repeated late: publications have versions or moments, and the others only remove values. What readers cache (fills) is
not recorded.

While a store is down, nothing can be appended. Then a process keeps its changes, up to a bound. Beyond it, the next
entry says that changes are missing, and the other site begins with an empty cache.
"""

import asyncio
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple, cast

import hiredis
from sqlalchemy import text

from domain.versions import version_ms, version_of
from store.gather import gather_all
from store.keys import cache_log
from store.postgres.client import Postgres
from store.redis.calls import ScriptCall
from store.redis.client import Redis
from store.redis.connection import RedisCommand
from store.scripts import SCRIPTS, Script

KEPT_MS = 15_000
"""For how many milliseconds the log keeps an entry: longer than a relay repeats entries (`LEASE_MS`). A site that is
further behind begins with an empty cache.
"""

MOST_BYTES = 32_000_000
"""The most bytes of changes that a process keeps until it can append them."""

_WRITTEN = text("SELECT (pg_current_wal_lsn() - '0/0')::bigint")
_REPLAYED = text("SELECT (pg_last_wal_replay_lsn() - '0/0')::bigint")
_REPLAY_LAG = text("""
    SELECT coalesce(extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8
""")
_COMMAND, _RUN = b"command", b"run"
_WAIT_S = 0.5
"""The most seconds for which `wait` waits."""
_POSITION, _DATA, _LACKS = b"position", b"data", b"lacks"
_BY_NAME = {script.name.encode(): script for script in SCRIPTS}


class Run(NamedTuple):
    """A change that a script made: the arguments are those of `Redis.run_many`."""

    script: Script
    common: Sequence[Any]
    calls: Sequence[ScriptCall]


class LogEntry(NamedTuple):
    """An entry of the log: its id in the stream, which contains the time in milliseconds since the Unix epoch; the
    position of Postgres; and the changes in their order. A change is a command or a `Run`. `lacks_changes` is whether
    changes before the entry are missing, so that whoever repeats it must begin with an empty cache.
    """

    id: str
    position: int
    changes: Sequence[RedisCommand | Run]
    lacks_changes: bool = False

    @property
    def ms(self) -> int:
        """Returns when the entry was appended, by the clock of the state Redis, in milliseconds since the Unix
        epoch.
        """
        return version_ms(version_of(self.id))


@dataclass(slots=True)
class _Notes:
    """Changes that are to be appended, as packed words. Forgets them when they have more than `MOST_BYTES` bytes: then
    `are_lost` is True, and further changes are not kept either.
    """

    packed: list[bytes] = field(default_factory=list)
    size: int = 0
    are_lost: bool = False

    def add(self, packed: bytes) -> None:
        if not self.are_lost:
            self.packed.append(packed)
            self.size += len(packed)
        if self.size > MOST_BYTES:
            self.packed, self.size, self.are_lost = [], 0, True

    def followed_by(self, later: "_Notes") -> "_Notes":
        """Returns these notes with later ones behind them."""
        for one in later.packed:
            self.add(one)
        return self if not later.are_lost else _Notes(are_lost=True)

    def __bool__(self) -> bool:
        return self.are_lost or bool(self.packed)


class CacheLog:
    """The log, as the writers of one process append to it. `cache` is the client of the cache Redis: keys get the
    prefix of its generation. `redis` is the client of the state Redis.

    A writer notes its changes with `note` and `note_run`, and then waits for `flush`. Changes that several writers note
    at the same time become one entry.
    """

    def __init__(self, redis: Redis, postgres: Postgres, cache: Redis) -> None:
        self._redis = redis
        self._postgres = postgres
        self._cache = cache
        self._noted = _Notes()
        self._flushing: asyncio.Task[None] | None = None

    def note(self, commands: Iterable[RedisCommand]) -> None:
        """Notes commands that change cached values."""
        for one in commands:
            self._noted.add(hiredis.pack_command((_COMMAND, *self._cache.with_prefix(one))))

    def note_run(self, script: Script, common: Sequence[Any], calls: Sequence[ScriptCall]) -> None:
        """Notes the run of a script that changes cached values (`Redis.run_many`)."""
        each = ((len(keys), len(args), *self._cache.with_prefix(tuple(keys)), *args) for keys, args in calls)
        words = (_RUN, script.name, len(common), *common, *chain.from_iterable(each))
        self._noted.add(hiredis.pack_command(words))

    def noting(
        self, script: Script, common: Sequence[Any], batches: Iterable[Sequence[ScriptCall]]
    ) -> Iterator[Sequence[ScriptCall]]:
        """Notes each batch of script calls when it is taken, and yields it (`Redis.run_batches`)."""
        for calls in batches:
            self.note_run(script, common, calls)
            yield calls

    async def change(self, commands: Sequence[RedisCommand]) -> list[Any]:
        """Runs commands that change cached values (`Redis.gather`), and appends them. Returns their answers."""
        self.note(commands)
        answers, _ = await gather_all(self._cache.gather(commands, write=True), self.flush())
        return cast("list[Any]", answers)

    async def run_many(self, script: Script, common: Sequence[Any], calls: Sequence[ScriptCall]) -> None:
        """Runs a script that changes cached values (`Redis.run_many`), and appends the run."""
        if calls:
            self.note_run(script, common, calls)
            await gather_all(self._cache.run_many(script, common, calls), self.flush())

    async def run_batches(self, script: Script, common: Sequence[Any], batches: Iterator[Sequence[ScriptCall]]) -> None:
        """Runs a script that changes cached values (`Redis.run_batches`), and appends the runs."""
        await self._cache.run_batches(script, common, self.noting(script, common, batches))
        await self.flush()

    async def flush(self) -> None:
        """Returns when everything that was noted before this call is in the log. Raises RedisDown and PostgresDown: the
        next call then appends it, or that it is missing.
        """
        if self._noted or (self._flushing and not self._flushing.done()):
            await self.beat()

    async def beat(self) -> None:
        """Appends what was noted, as `flush` does. Appends an entry even if nothing was noted: the entry then says that
        there were no changes until now.
        """
        earlier = self._flushing
        if earlier and not earlier.done():
            await asyncio.wait({earlier})
        if self._flushing is earlier:
            self._flushing = asyncio.create_task(self._append())
        assert self._flushing
        await asyncio.shield(self._flushing)

    async def _append(self) -> None:
        noted, self._noted = self._noted, _Notes()
        key = cache_log()
        try:
            position = await written(self._postgres)  # after the commits of what was noted
            oldest = await self._redis.clock_ms(key) - KEPT_MS
            lacks = (_LACKS, 1) if noted.are_lost else ()
            fields = (_POSITION, position, _DATA, b"".join(noted.packed), *lacks)
            await self._redis("XADD", key, "MINID", "~", oldest, "*", *fields, write=True)
        except BaseException:  # whatever has failed, the notes are in no entry yet
            self._noted = noted.followed_by(self._noted)  # whoever has noted it may not have waited for this attempt
            raise


async def read(redis: Redis, after: str, most: int) -> list[LogEntry] | None:
    """Returns up to `most` entries after the one with the id `after`, oldest first. Returns None if the log may have
    had further entries between them that it keeps no longer, or if the log is empty. `redis` may be a client of a
    replica of the state Redis. Raises RedisDown.
    """
    key = cache_log()
    kept, found = await redis.gather(
        [("XRANGE", key, after, after, "COUNT", 1), ("XRANGE", key, f"({after}", "+", "COUNT", most)]
    )
    return [_entry(*one) for one in found] if kept else None


async def wait(redis: Redis, after: str) -> None:
    """Waits until the log has an entry after the one with the id `after`, but at most for half a second. Raises
    RedisDown.
    """
    key = cache_log()
    await redis.wait_for(key, ("XREAD", "COUNT", 1, "BLOCK", int(_WAIT_S * 1000), "STREAMS", key, after), _WAIT_S)


async def newest(redis: Redis) -> LogEntry | None:
    """Returns the newest entry; None if the log is empty. Raises RedisDown."""
    found = await redis("XREVRANGE", cache_log(), "+", "-", "COUNT", 1)
    return _entry(*found[0]) if found else None


async def newest_ms(redis: Redis) -> float:
    """Returns when the newest entry was appended, in milliseconds since the Unix epoch; minus infinity if the log is
    empty. Raises RedisDown.
    """
    found = await redis("XREVRANGE", cache_log(), "+", "-", "COUNT", 1, read=lambda answer: [one for one, _ in answer])
    return version_ms(version_of(found[0])) if found else -math.inf


async def written(postgres: Postgres) -> int:
    """Returns the position up to which this Postgres has written its WAL. Raises PostgresDown."""
    ((position,),) = await postgres.read(_WRITTEN)
    return int(position)


async def replayed(postgres: Postgres) -> int:
    """Returns the position up to which this replica of Postgres has replayed the WAL. Raises PostgresDown."""
    ((position,),) = await postgres.read(_REPLAYED)
    return int(position or 0)


async def replay_lag(postgres: Postgres) -> float:
    """Returns how many seconds ago the last transaction that this replica of Postgres has replayed was committed. The
    workers of the write site commit several times a second. Raises PostgresDown.
    """
    ((lag,),) = await postgres.read(_REPLAY_LAG)
    return float(lag)


def _entry(identifier: bytes, fields: Sequence[bytes]) -> LogEntry:
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    return LogEntry(identifier.decode(), int(values[_POSITION]), [*_changes(values[_DATA])], _LACKS in values)


def _changes(data: bytes) -> Iterator[RedisCommand | Run]:
    reader = hiredis.Reader()
    reader.feed(data)
    while isinstance(words := reader.gets(), list):
        kind, *rest = words
        if kind == _COMMAND:
            yield tuple(rest)
        else:
            name, count, *left = rest
            common, at, calls = left[: int(count)], int(count), list[ScriptCall]()
            while at < len(left):
                keys, args = int(left[at]), int(left[at + 1])
                first, at = at + 2, at + 2 + keys + args
                calls.append((left[first : first + keys], left[first + keys : at]))
            yield Run(_BY_NAME[name], common, calls)
