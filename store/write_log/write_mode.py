"""Where writes go: through Redis normally, straight into the tables (*direct*) while there is no Redis to trust.

One row says so, and every process looks at it twice a second. A process writes to Redis only if it has looked lately,
or if Postgres answers nobody there; and to the tables only a while after the row said so, when everybody has stopped
writing to Redis. Direct writes hold the row, so that there are none any more once it says something else.

A reader with changes of their own is answered under the same rules. A view of the row that says *through Redis* is good
for as long as it allows writes, because direct writes begin later than that. A view that says *direct* is good for no
time at all, because writes through Redis begin as soon as it ends: the process looks once more before it answers.

Each change of it begins a *generation*: everything in Redis but the journals and the outcomes of operations is
believed in one generation alone, so after a time of direct writing everything there is cold.
"""

import asyncio
import math
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import structlog
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from domain.errors import Unavailable
from observability import metrics
from store.backoff import rest
from store.postgres.client import Postgres, PostgresDown, Transaction
from store.redis.client import Moved, Redis, RedisDown
from store.write_log.journal import Journals

log = structlog.get_logger(__name__)

_EVERY = 0.5
"""Seconds between two looks."""
_FRESH = 1.5
"""Seconds for which a look holds. A write that it allowed has a second more, its timeout, to reach Redis."""
_STOPPED = 2.5
"""Seconds after the change to direct in which everybody has stopped writing to Redis."""
_SILENT = 1.5
"""Seconds without an answer of Redis to any worker, after which writes go straight into the tables."""

_LOOK = text("""
    SELECT direct, generation, (extract(epoch FROM since) * 1000)::bigint AS since_ms,
           extract(epoch FROM clock_timestamp() - since)::float8 AS age, servers
    FROM modes
""")
_HOLD = text("LOCK TABLE modes IN SHARE MODE")
_NEXT = "greatest(modes.generation + 1, extract(epoch FROM clock_timestamp())::bigint)"
_BEGIN = text(f"""
    INSERT INTO modes (id, direct, generation, since)
    SELECT 1, true, extract(epoch FROM clock_timestamp())::bigint, clock_timestamp()
    WHERE :at_once OR NOT EXISTS (
        SELECT FROM workers
        WHERE seen_until > now() AND redis_seen > clock_timestamp() - make_interval(secs => {_SILENT})
    )
    ON CONFLICT (id) DO UPDATE SET direct = true, generation = {_NEXT}, since = excluded.since
    WHERE NOT modes.direct
""")  # noqa: S608 - constants
_END = text(f"""
    UPDATE modes SET direct = false, generation = {_NEXT}, since = clock_timestamp()
    WHERE direct AND since < clock_timestamp() - make_interval(secs => {_STOPPED})
      AND NOT EXISTS (SELECT FROM partitions WHERE drained <> modes.generation)
    RETURNING generation
""")  # noqa: S608 - constants
_VERIFY = text("""
    INSERT INTO modes (id, direct, generation, since, servers) VALUES (1, false, 0, 'epoch', :servers)
    ON CONFLICT (id) DO UPDATE SET servers = excluded.servers
    WHERE NOT modes.direct AND modes.generation = :generation
""")
_MAY_END = text("SELECT 1 FROM modes WHERE direct AND NOT EXISTS (SELECT FROM partitions WHERE drained <> generation)")
_REDIS_SEEN = text("UPDATE workers SET redis_seen = clock_timestamp() WHERE worker = :worker")


class Mode(NamedTuple):
    """What the row said, since when (ms since the Unix epoch, Postgres's clock), how many seconds ago that was, and for
    which runs of Redis servers somebody vouches.
    """

    direct: bool
    generation: int
    since_ms: int
    age: float
    runs: frozenset[str]


NORMAL = Mode(False, 0, 0, math.inf, frozenset())
"""While there is no row yet."""


class WriteMode:
    """The row as one process knows it, which tells its `clients`: that of the journals first, then that of the cache,
    which may be the same.

    With `gates` nothing is asked through them while writes are direct, nor of a server for which nobody vouches.
    """

    def __init__(
        self,
        postgres: Postgres,
        clients: Sequence[Redis],
        journals: Journals,
        *,
        gates: bool,
        writers: int,
        changed: Callable[[], None],
    ) -> None:
        """So many `writers` at once may write directly; `changed` is called when another generation has begun."""
        self.writing = asyncio.Semaphore(writers)
        """Held by who writes directly, so that some connections are left to readers."""
        self._changed = changed
        self._postgres = postgres
        self._clients = clients
        self._journals = journals
        self._gates = gates
        self._looking: asyncio.Task[None] | None = None
        self._looked_at = -math.inf
        self.current = NORMAL

    @property
    def has_looked(self) -> bool:
        """Whether the tables have ever answered."""
        return self._looked_at > -math.inf

    async def keep(self) -> None:
        """Looks again and again."""
        while True:
            await self.refresh()
            await rest(_EVERY)

    async def refresh(self) -> None:
        """Waits for a look that begins after this call; all callers that wait share it. What was known stands where
        Postgres cannot be asked.
        """
        earlier = self._looking
        if earlier and not earlier.done():
            await asyncio.shield(earlier)
        if self._looking is earlier:
            self._looking = asyncio.create_task(self._look())
        assert self._looking
        await asyncio.shield(self._looking)

    async def catch_up(self) -> None:
        """Waits until this process knows of every change of the mode after which somebody may have been acknowledged a
        write before this call. Asks nothing while writes go through Redis and the process has looked lately.
        """
        if self.current.direct or self._is_stale:
            await self.refresh()

    @property
    def _is_stale(self) -> bool:
        return time.monotonic() - self._looked_at > _FRESH

    async def writes_directly(self) -> bool:
        """Where to write now. Raises Unavailable in the seconds in which that changes."""
        if self._is_stale:
            await self.refresh()
        if not self.current.direct:
            return False
        if (wait := self._until_settled) > 0:
            raise Unavailable("Redis does not answer. Writes go another way in a moment.", retry_after=math.ceil(wait))
        return True

    @property
    def is_settled(self) -> bool:
        """Whether the row has said the same for so long that everybody who asks Postgres knows."""
        return self._until_settled <= 0

    @property
    def _until_settled(self) -> float:
        return _STOPPED - self.current.age - (time.monotonic() - self._looked_at)

    def _trusted(self, client: Redis) -> frozenset[str]:
        """Whoever serves people asks no server for which no worker vouches; workers are those who find out."""
        return self.current.runs if self._gates and client is self._clients[0] else frozenset()

    async def _look(self) -> None:
        asked = time.monotonic()
        try:
            rows = await self._postgres.glance(_LOOK)
        except (PostgresDown, DBAPIError):  # without its tables nothing is served anyway
            await self._look_at_journals()
            return
        self._enter(_mode(rows[0]) if rows else NORMAL)
        self._looked_at = asked

    async def _look_at_journals(self) -> None:
        """Finds out without Postgres whether this generation is over: then the journals are open for a later one. Which
        mode has followed is unknown here, so nothing that Redis holds is believed until Postgres answers.
        """
        if not self._gates or self.current.direct:
            return
        with suppress(RedisDown):
            (first,) = (await self._journals.opened([0])).values()
            if first.generation > self.current.generation:
                self._enter(Mode(True, first.generation, 0, 0.0, frozenset()))

    def _enter(self, mode: Mode) -> None:
        is_new = mode[:2] != self.current[:2]
        self.current = mode
        metrics.WRITE_MODE_DIRECT.set(mode.direct)
        for client in self._clients:
            client.switch(mode.generation, suspended=self._gates and mode.direct, verified=self._trusted(client))
        if is_new:
            log.warning("mode", direct=mode.direct, generation=mode.generation)
            self._changed()


async def hold(transaction: Transaction) -> None:
    """Keeps writes direct until this transaction ends. Raises Moved where they are not, or not yet."""
    await transaction.execute(_HOLD)
    rows = await transaction.execute(_LOOK)
    if not rows or not rows[0].direct or rows[0].age < _STOPPED:
        raise Moved


async def begin(postgres: Postgres, *, at_once: bool = False) -> bool:
    """Makes writes direct: if no worker alive has heard of Redis lately, or `at_once`. Returns whether this did."""
    async with postgres.transaction() as transaction:
        return await transaction.changed(_BEGIN, at_once=at_once) > 0


async def may_end(postgres: Postgres) -> bool:
    """Whether every journal is drained. Asked first: who ends direct writing waits for all who write directly."""
    return bool(await postgres.read(_MAY_END))


async def end(transaction: Transaction) -> int | None:
    """No more direct writes, from the commit on. Returns the generation that begins; None unless all is drained."""
    rows = await transaction.execute(_END)
    return int(rows[0].generation) if rows else None


def _mode(row: Any) -> Mode:
    return Mode(row.direct, row.generation, row.since_ms, row.age, frozenset(row.servers))


async def verify(transaction: Transaction, generation: int, runs: Iterable[str]) -> None:
    """That these runs of Redis servers, and no others, know all that the tables know: still in this generation."""
    await transaction.execute(_VERIFY, generation=generation, servers=sorted(runs))


async def redis_seen(postgres: Postgres, worker: str) -> None:
    """Redis has answered this worker."""
    async with postgres.transaction() as transaction:
        await transaction.execute(_REDIS_SEEN, worker=worker)
