"""The log of the changes of cached values. Another site repeats these changes in a cache Redis of its own (ADR 104).

The log is one stream in the state Redis, so a replica of the state Redis has it too. An entry has the changes that
writers and workers have made to cached values, in their order, and a *position*: how far Postgres had written its WAL
after the rows of these changes were committed. A replica of Postgres that has replayed the WAL up to the position has
these rows. So whoever repeats an entry then, and not sooner, never lets a reader cache a value that is older than the
entry.

Changes are recorded as the scripts and commands that made them, with complete keys. All of them may be repeated, and
repeated late: publications have versions or moments, and the others only remove values. What readers cache (fills) is
not recorded.
"""

import asyncio
import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, cast

import hiredis
from sqlalchemy import text

from domain.errors import Unavailable
from domain.versions import version_ms, version_of
from store.gather import gather_all
from store.keys import cache_log
from store.postgres.client import Postgres
from store.redis.calls import ScriptCall
from store.redis.client import Redis
from store.redis.connection import RedisCommand
from store.scripts import SCRIPTS, Script

KEPT_MS = 60_000
"""For how many milliseconds the log keeps an entry. A site that is further behind begins with an empty cache."""

_WRITTEN = text("SELECT (pg_current_wal_lsn() - '0/0')::bigint")
_REPLAYED = text("SELECT (pg_last_wal_replay_lsn() - '0/0')::bigint")
_COMMAND, _RUN = b"command", b"run"
_WAIT_S = 0.5
"""The most seconds for which `wait` waits."""
_POSITION, _DATA = b"position", b"data"
_BY_NAME = {script.name.encode(): script for script in SCRIPTS}


class Run(NamedTuple):
    """A change that a script made: the arguments are those of `Redis.run_many`."""

    script: Script
    common: Sequence[Any]
    calls: Sequence[ScriptCall]


class LogEntry(NamedTuple):
    """An entry of the log: its id in the stream, which contains the time in milliseconds since the Unix epoch; the
    position of Postgres; and the changes in their order. A change is a command or a `Run`.
    """

    id: str
    position: int
    changes: Sequence[RedisCommand | Run]

    @property
    def ms(self) -> int:
        """Returns when the entry was appended, by the clock of the state Redis, in milliseconds since the Unix
        epoch.
        """
        return version_ms(version_of(self.id))


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
        self._noted: list[bytes] = []
        self._flushing: asyncio.Task[None] | None = None

    def note(self, commands: Iterable[RedisCommand]) -> None:
        """Notes commands that change cached values."""
        self._noted += (hiredis.pack_command((_COMMAND, *self._cache.with_prefix(one))) for one in commands)

    def note_run(self, script: Script, common: Sequence[Any], calls: Sequence[ScriptCall]) -> None:
        """Notes the run of a script that changes cached values (`Redis.run_many`)."""
        each = ((len(keys), len(args), *self._cache.with_prefix(tuple(keys)), *args) for keys, args in calls)
        words = (_RUN, script.name, len(common), *common, *chain.from_iterable(each))
        self._noted.append(hiredis.pack_command(words))

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
        next call then appends it.
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
        noted, self._noted = self._noted, []
        key = cache_log()
        try:
            position = await written(self._postgres)  # after the commits of what was noted
            oldest = await self._redis.clock_ms(key) - KEPT_MS
            fields = (_POSITION, position, _DATA, b"".join(noted))
            await self._redis("XADD", key, "MINID", "~", oldest, "*", *fields, write=True)
        except Unavailable:
            self._noted = noted + self._noted  # whoever has noted it may not have waited for this attempt
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


def _entry(identifier: bytes, fields: Sequence[bytes]) -> LogEntry:
    values = dict(zip(fields[::2], fields[1::2], strict=True))
    return LogEntry(identifier.decode(), int(values[_POSITION]), [*_changes(values[_DATA])])


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
