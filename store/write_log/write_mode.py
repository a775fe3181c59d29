"""The write mode: writes go through Redis normally, and *directly* to Postgres while Redis is down or has lost data.

The mode is one row of the table `modes`, which every process reads twice a second. A process writes to Redis only if it
has read the row within the last 1.5 seconds, or if Postgres is down. A process writes directly only after the row has
said so for 2.5 seconds: by then, no process writes to Redis any more. Direct writes lock the row, so none can commit
after the mode has changed back.

The same rules hold for reads that must include the viewer's own changes. A row that says *through Redis* may be used
for as long as it allows writes, because direct writes begin later than that. A row that says *direct* must be read
again before each answer, because writes through Redis begin as soon as the mode ends.

The row also says which of two sites takes the writes (ADR 104). Each promotion of a site has a *term*, a number that
grows. A site that knows a higher term than its own has *released* the writes: its mode is direct, direct writes are
refused, too, and the mode does not end. The transactions of all processes but workers hold the term with a shared
advisory lock, so none commits after the release.

Each change of the mode begins a *generation*. Journals, idempotency records, limits and registered queries are used
across generations; cached values, users' own sets and pending changes are valid in one generation only (store/keys.py).
So after a time of direct writes, nothing is cached.
"""

import asyncio
import math
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from domain.errors import Unavailable
from observability import metrics
from observability.logs import Log
from store.backoff import rest
from store.postgres.client import Postgres, PostgresDown, Transaction
from store.redis.client import Moved, Redis, RedisDown
from store.write_log.journal import Journals

log = Log(__name__)

_EVERY = 0.5
"""Seconds between two reads of the row of the mode."""
_FRESH = 1.5
"""Seconds for which a read of the row is valid. A write that the row allowed reaches Redis within one more second, the
timeout of commands.
"""
_STOPPED = 2.5
"""Seconds from the change to direct writes until no process writes to Redis any more."""
_TAKES_OVER = 30.0
"""Seconds after a promotion for which writes wait until a worker has stored the journals. Direct writes, which do not
see what is left in journals, would be less exact.
"""
_SILENT = 1.5
"""Seconds without an answer of Redis to any worker, after which writes become direct."""
RELEASED = "This site takes no writes, because another site takes them. Repeat the request in a moment."

_READ = text("""
    SELECT direct, generation, (extract(epoch FROM since) * 1000)::bigint AS since_ms,
           extract(epoch FROM clock_timestamp() - since)::float8 AS age, servers, term, highest_term, promoted_in,
           CASE WHEN synchronous THEN replicas ELSE 0 END AS replicas
    FROM modes
""")
_IN_RECOVERY = text("SELECT pg_is_in_recovery()")
_TERM_LOCK = 104
_HOLD_TERM = text(f"SELECT pg_advisory_xact_lock_shared({_TERM_LOCK})")
_TAKE_TERM = text(f"SELECT pg_advisory_xact_lock({_TERM_LOCK})")
# A timeout of a statement ends the wait of a commit, and Postgres then says that it has committed. Only
# transactions that write something wait. So each one writes a message: it then waits for earlier ones, too.
_ADMIT = text("""
    SELECT highest_term > term AS released,
           synchronous AND current_setting('synchronous_standby_names') = '' AND NOT pg_is_in_recovery() AS alone,
           CASE WHEN synchronous THEN set_config('synchronous_commit', 'remote_apply', true)
                                      || set_config('statement_timeout', '0', true) END,
           CASE WHEN synchronous AND NOT pg_is_in_recovery() THEN pg_logical_emit_message(true, 'plaudit', '') END
    FROM modes
""")
_HOLD = text("LOCK TABLE modes IN SHARE MODE")
NEXT_GENERATION = "greatest(modes.generation + 1, extract(epoch FROM clock_timestamp())::bigint)"
_BEGIN = text(f"""
    INSERT INTO modes (id, direct, generation, since)
    SELECT 1, true, extract(epoch FROM clock_timestamp())::bigint, clock_timestamp()
    WHERE :at_once OR NOT EXISTS (
        SELECT FROM workers
        WHERE seen_until > now() AND redis_seen > clock_timestamp() - make_interval(secs => {_SILENT})
    )
    ON CONFLICT (id) DO UPDATE SET direct = true, generation = {NEXT_GENERATION}, since = excluded.since
    WHERE NOT modes.direct
""")  # noqa: S608 - constants
_DISCARD = text(f"""
    INSERT INTO modes (id, direct, generation, since)
    VALUES (1, true, extract(epoch FROM clock_timestamp())::bigint, clock_timestamp())
    ON CONFLICT (id) DO UPDATE SET direct = true, generation = {NEXT_GENERATION}, since = excluded.since
""")  # noqa: S608 - constants
_RELEASE = text(f"""
    INSERT INTO modes (id, direct, generation, since, highest_term)
    VALUES (1, true, extract(epoch FROM clock_timestamp())::bigint, clock_timestamp(),
            greatest(1, CAST(:term AS bigint)))
    ON CONFLICT (id) DO UPDATE SET direct = true, generation = {NEXT_GENERATION}, since = excluded.since,
                                   highest_term = greatest(modes.term + 1, CAST(:term AS bigint))
    WHERE modes.highest_term < greatest(modes.term + 1, CAST(:term AS bigint))
""")  # noqa: S608 - constants
_TAKE_BACK = text("UPDATE modes SET highest_term = term WHERE highest_term > term")
_SYNCHRONOUS = text("""
    INSERT INTO modes (id, direct, generation, since, synchronous, replicas)
    VALUES (1, false, 0, 'epoch', CAST(:replicas AS smallint) > 0, greatest(1, CAST(:replicas AS smallint)))
    ON CONFLICT (id) DO UPDATE SET synchronous = excluded.synchronous, replicas = excluded.replicas
""")
_END = text(f"""
    UPDATE modes SET direct = false, generation = {NEXT_GENERATION}, since = clock_timestamp()
    WHERE direct AND highest_term <= term AND since < clock_timestamp() - make_interval(secs => {_STOPPED})
      AND NOT EXISTS (SELECT FROM partitions WHERE drained <> modes.generation)
    RETURNING generation
""")  # noqa: S608 - constants
_VERIFY = text("""
    INSERT INTO modes (id, direct, generation, since, servers) VALUES (1, false, 0, 'epoch', :servers)
    ON CONFLICT (id) DO UPDATE SET servers = excluded.servers
    WHERE NOT modes.direct AND modes.generation = :generation
""")
_MAY_END = text("SELECT 1 FROM modes WHERE direct AND NOT EXISTS (SELECT FROM partitions WHERE drained <> generation)")
_SEEN_BY_OTHERS = text(f"""
    SELECT 1 FROM workers
    WHERE worker <> :worker AND seen_until > now() AND redis_seen > clock_timestamp() - make_interval(secs => {_SILENT})
    LIMIT 1
""")  # noqa: S608 - constants
_REDIS_SEEN = text("UPDATE workers SET redis_seen = clock_timestamp() WHERE worker = :worker")


class Mode(NamedTuple):
    """The write mode, as in its row in the table `modes`. `direct` is whether writes go to Postgres directly; otherwise
    they go through Redis. `generation` is a number that grows with each change. `since_ms` is when the mode began, by
    Postgres's clock, in milliseconds since the Unix epoch; `age` is how many seconds ago that was at the time of the
    read.
    """

    direct: bool
    generation: int
    since_ms: int
    age: float
    verified: frozenset[str]
    """The run ids of the Redis servers of which a worker has verified that they have all journal entries."""
    term: int = 0
    """How many promotions of a site there were."""
    highest_term: int = 0
    """The highest term that this site knows."""
    replicas: int = 0
    """How many replicas of the state Redis must have a write before it is acknowledged; 0 in asynchronous mode."""
    promoted_in: int = 0
    """The generation in which this site was promoted."""

    @property
    def takes_over(self) -> bool:
        """Whether the mode is direct because this site was promoted."""
        return self.direct and self.generation == self.promoted_in

    @property
    def is_released(self) -> bool:
        """Whether another site takes the writes, or is about to."""
        return self.highest_term > self.term


NORMAL = Mode(False, 0, 0, math.inf, frozenset())
"""The mode while there is no row yet."""


class WriteMode:
    """The write mode as one process knows it. Passes the mode on to `clients`: the client of the state Redis, then that
    of the cache Redis, which may be the same.

    With `gates`, as in API processes, the clients raise RedisDown for all commands while writes are direct, and the
    client of the state Redis refuses servers that are not verified. Workers have no gates, because they verify servers,
    and store what is left in the journals while writes are direct.
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
        two_sites: bool = False,
        obeys_term: bool = True,
    ) -> None:
        """At most `writers` direct writes run at once. `changed` is called when a new generation has begun. If there
        are `two_sites`, this process may run at the reading site (`only_reads`). With `obeys_term`, its transactions
        are then refused once another site takes the writes.
        """
        self.writing = asyncio.Semaphore(writers)
        """Held during a direct write, so that some connections are left for reads."""
        self._changed = changed
        self._postgres = postgres
        self._clients = clients
        self._journals = journals
        self._gates = gates
        self._reading: asyncio.Task[None] | None = None
        self._read_at = -math.inf
        self._two_sites = two_sites
        self.only_reads = False
        """Whether this process runs at the one of two sites that only reads: its Postgres is a standby. Its state Redis
        is then a replica, which workers have not verified.
        """
        self.current = NORMAL
        if two_sites and obeys_term:
            postgres.begin = _admit

    @property
    def takes_writes(self) -> bool:
        """Whether this site takes writes. Of two sites, one does."""
        return not (self.only_reads or self.current.is_released)

    @property
    def is_known(self) -> bool:
        """Whether this process has ever read the write mode from Postgres."""
        return self._read_at > -math.inf

    async def keep(self) -> None:
        """Reads the write mode from Postgres repeatedly, until this task is cancelled."""
        while True:
            await self.refresh()
            await rest(_EVERY)

    async def refresh(self) -> None:
        """Waits for a read of the write mode that begins after this call. All waiting callers share one read. If
        Postgres is down, the mode stays as it is.
        """
        earlier = self._reading
        if earlier and not earlier.done():
            await asyncio.shield(earlier)
        if self._reading is earlier:
            self._reading = asyncio.create_task(self._read())
        assert self._reading
        await asyncio.shield(self._reading)

    async def catch_up(self) -> None:
        """Makes sure that this process knows the write mode in which the writes before this call were acknowledged.
        Needs no query while writes go through Redis and the last read of the mode is still valid.
        """
        if self.current.direct or time.monotonic() - self._read_at > _FRESH:
            await self.refresh()

    async def writes_directly(self) -> bool:
        """Returns whether this process must write directly to Postgres now. Raises Unavailable in the 2.5 seconds after
        the mode has changed to direct: other processes may still write to Redis then. After a promotion, raises it
        until a worker has stored the journals, but for at most half a minute. Also raises it if this site has released
        the writes.
        """
        if time.monotonic() - self._read_at > _FRESH:
            await self.refresh()
        if not self.current.direct:
            return False
        if self.current.is_released:
            raise Unavailable(RELEASED)
        if (wait := self._until_settled) > 0:
            raise Unavailable("Redis does not answer. Writes go another way in a moment.", retry_after=math.ceil(wait))
        if self.current.takes_over and self._age < _TAKES_OVER:
            raise Unavailable("This site begins to take the writes. Repeat the request in a moment.", retry_after=1)
        return True

    async def wait_for_other_site(self) -> None:
        """In synchronous mode, waits until the Postgres of the other site has all changes that this site has. Raises
        PostgresDown.
        """
        if self.current.replicas:
            async with self.writing, self._postgres.transaction():
                pass

    @property
    def is_settled(self) -> bool:
        """Whether the write mode has lasted for 2.5 seconds, so that every process that can read Postgres knows it."""
        return self._until_settled <= 0

    @property
    def _until_settled(self) -> float:
        return _STOPPED - self._age

    @property
    def _age(self) -> float:
        return self.current.age + time.monotonic() - self._read_at

    async def _read(self) -> None:
        began = time.monotonic()
        try:
            if self._two_sites:
                ((self.only_reads,),) = await self._postgres.read_unqueued(_IN_RECOVERY)
            rows = await self._postgres.read_unqueued(_READ)
        except (PostgresDown, DBAPIError):  # without its tables, nothing is served anyway
            await self._read_journals()
            return
        self._enter(_mode(rows[0]) if rows else NORMAL)
        self._read_at = began

    async def _read_journals(self) -> None:
        """Finds out without Postgres whether the current generation has ended: the journals are then open for a later
        one. If it has ended, stops using Redis until Postgres answers, because the mode of the later generation is
        unknown.
        """
        if not self._gates or self.current.direct:
            return
        with suppress(RedisDown):
            (first,) = (await self._journals.opened([0])).values()
            if first.generation > self.current.generation:
                latest = Mode(True, first.generation, 0, 0.0, frozenset())
                self._enter(latest._replace(term=self.current.term, highest_term=self.current.highest_term))

    def _enter(self, mode: Mode) -> None:
        is_new = mode[:2] != self.current[:2]
        self.current = mode
        metrics.WRITE_MODE_DIRECT.set(mode.direct)
        for client in self._clients:
            is_state = client is self._clients[0]
            verified = mode.verified if self._gates and is_state and not self.only_reads else frozenset()
            suspended, is_replica = self._gates and mode.direct, is_state and self.only_reads
            client.switch(mode.generation, suspended=suspended, verified=verified, is_replica=is_replica)
            client.replicas = mode.replicas if self._gates and is_state and not self.only_reads else 0
        if is_new:
            if self.is_known or mode.direct:  # otherwise it is how this process found it, and no change
                log.warning("mode", direct=mode.direct, generation=mode.generation)
            self._changed()


async def read(postgres: Postgres) -> Mode:
    """Reads the current write mode from Postgres."""
    rows = await postgres.read(_READ)
    return _mode(rows[0]) if rows else NORMAL


def _mode(row: Any) -> Mode:
    verified, terms = frozenset(row.servers), (row.term, row.highest_term)
    return Mode(row.direct, row.generation, row.since_ms, row.age, verified, *terms, row.replicas, row.promoted_in)


async def _admit(transaction: Transaction) -> None:
    """Lets a transaction begin: holds the term, and in synchronous mode lets the commit wait for the standby of the
    other site. Raises Unavailable if this site has released the writes, or if there is no standby to wait for.
    """
    await transaction.execute(_HOLD_TERM)
    rows = await transaction.execute(_ADMIT)
    if rows and rows[0].released:
        raise Unavailable(RELEASED)
    if rows and rows[0].alone:
        raise Unavailable("Synchronous mode needs synchronous_standby_names in the settings of Postgres.")


async def hold(transaction: Transaction) -> None:
    """Locks the write mode, so that it stays direct until this transaction ends. Raises Moved if the mode is not
    direct, or has been direct for less than 2.5 seconds.
    """
    await transaction.execute(_HOLD)
    rows = await transaction.execute(_READ)
    if not rows or not rows[0].direct or rows[0].age < _STOPPED:
        raise Moved


async def begin(postgres: Postgres, *, at_once: bool = False) -> bool:
    """Changes the write mode to direct if Redis has not answered any running worker for 1.5 seconds, or if `at_once`.
    Returns whether this call changed the mode.
    """
    return await postgres.write(_BEGIN, at_once=at_once) > 0


async def discard_caches(postgres: Postgres) -> None:
    """Makes everything that is cached in Redis unused: changes the write mode to direct, and begins a new generation
    even if the mode is direct already. Call this function after a restore of Postgres. The restored rows may say that
    the mode is direct and that the journals are drained (stored completely), although the journals have new entries.
    """
    await postgres.write(_DISCARD)


async def release(postgres: Postgres, term: int = 0) -> bool:
    """Lets this site refuse all writes, because another site takes them with `term`, or is about to take them with the
    next term. Returns whether the site took writes before. Returns when no running transaction but those of workers
    can commit; journals may take writes for 2.5 seconds more.
    """
    async with postgres.transaction() as transaction:
        await transaction.execute(_TAKE_TERM)
        return await transaction.changed(_RELEASE, term=term) > 0


async def take_back(postgres: Postgres) -> bool:
    """Lets this site take writes again. Returns whether it had released them. Call this function only if no other site
    was promoted. Writes are direct until a worker has stored the journals.
    """
    return await postgres.write(_TAKE_BACK) > 0


async def set_synchronous(postgres: Postgres, replicas: int) -> None:
    """Begins synchronous mode, in which so many replicas of the state Redis must have a write before it is
    acknowledged. Ends it if `replicas` is 0. Processes know it half a second later.
    """
    await postgres.write(_SYNCHRONOUS, replicas=replicas)


async def may_end(postgres: Postgres) -> bool:
    """Returns whether the mode is direct and all entries of all journals are stored in Postgres. Call this function
    before `end`, which waits for all running direct writes.
    """
    return bool(await postgres.read(_MAY_END))


async def end(transaction: Transaction) -> int | None:
    """Ends the direct mode when the transaction commits. Returns the number of the generation that begins. Returns
    None, and changes nothing, if the mode has been direct for less than 2.5 seconds, or if a journal is not drained:
    some of its entries are not stored in Postgres yet.
    """
    rows = await transaction.execute(_END)
    return int(rows[0].generation) if rows else None


async def verify(transaction: Transaction, generation: int, run_ids: Iterable[str]) -> None:
    """Records the run ids of the Redis servers that are verified: they have all journal entries that they should have.
    Servers with other run ids count as not verified from now on. Does nothing if `generation` is no longer the current
    one, or if the mode is direct.
    """
    await transaction.execute(_VERIFY, generation=generation, servers=sorted(run_ids))


async def redis_seen(postgres: Postgres, worker: str) -> None:
    """Records that Redis has just answered this worker."""
    await postgres.write(_REDIS_SEEN, worker=worker)


async def is_seen_by_others(postgres: Postgres, worker: str) -> bool:
    """Returns whether Redis has answered a running worker other than this one in the last 1.5 seconds."""
    return bool(await postgres.read(_SEEN_BY_OTHERS, worker=worker))
