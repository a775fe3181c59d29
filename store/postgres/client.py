"""The Postgres client: runs statements and transactions, counts statements, and bounds their time.

The methods of SQLAlchemy that wait for Postgres must be called through `greenlet_spawn` (dependencies/sqlalchemy.py).
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Protocol, TypeVar

from asyncpg import InternalClientError
from sqlalchemy import Connection, Engine, NullPool, TextClause, text
from sqlalchemy.exc import DBAPIError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from dependencies.sqlalchemy import greenlet_spawn
from domain.errors import Unavailable
from models.database.engines import engine_at
from observability import metrics
from settings import Settings
from store.breaker import Breaker
from store.postgres import distributed
from store.postgres.arrays import speed_up
from store.postgres.spans import in_span

LEAST_LIKENESS = 0.4
"""The least share of their trigrams that two terms have in common if a search takes them for similar."""

Rows = Sequence[Any]
T = TypeVar("T")
_PING = text("SELECT 1")
_REPLAN = text("SET LOCAL plan_cache_mode = force_custom_plan")
_OWN_PLAN = "own_plan"

_TRANSIENT_CLASSES = ("08", "25006", "25P03", "40", "53", "55P03", "57", "58")
"""The beginnings of SQLSTATEs after which a repetition may work. Those of five characters are 25006 (the server is a
standby, after a failover), 25P03 (a session was idle in a transaction) and 55P03 (a lock was not available).
"""
_INTERNAL = "XX000"
_LOST_NODE = "failure on connection", "server closed the connection"
"""Parts of the messages with which a Citus coordinator reports a lost node. Their SQLSTATE is `_INTERNAL`."""
_DEADLOCK = "40P01"
_SERVER_CLASSES = ("08001", "08004", "25006", "40", "53", "57P", "58")
"""The beginnings of SQLSTATEs about the state of the server: a deadlock; no connections, memory or disk space left; a
shutdown; a standby.
"""
_REFUSED_CLASSES = ("21", "22", "23")
"""The beginnings of the SQLSTATEs with which Postgres refuses data, such as a value that is too long."""


class PostgresDown(Unavailable):
    """Raised when Postgres does not answer in time, or fails in a way that may pass, such as a shutdown. It is unknown
    whether a transaction has committed, except after a `Deadlock`.
    """

    reason = "POSTGRES_DOWN"


class Deadlock(PostgresDown):
    """Raised when Postgres has ended a transaction because of a deadlock. The transaction has not committed."""


async def again_after_deadlock(write: Callable[[], Awaitable[T]]) -> T:
    """Calls `write`, and calls it again after each deadlock: at most five times in all. Returns what `write` returns.
    Raises Deadlock if the last call does.
    """
    for _ in range(4):
        with suppress(Deadlock):
            return await write()
    return await write()


def sqlstate(error: BaseException) -> str | None:
    """Returns the SQLSTATE of an error: five characters; None if Postgres did not raise the error."""
    original = error.orig if isinstance(error, DBAPIError) else error
    return getattr(original, "sqlstate", None) or getattr(original, "pgcode", None)


def is_refusal(error: BaseException) -> bool:
    """Returns whether an error means that Postgres refuses the data, so that a repetition cannot succeed."""
    state = sqlstate(error)
    return state is not None and state.startswith(_REFUSED_CLASSES)


def is_transient(error: BaseException) -> bool:
    """Returns whether a repetition may work after an error, such as a lost connection, a lost Citus node, a deadlock, a
    full disk or a shutdown. asyncpg raises InternalClientError if Postgres ended the session just before a statement.
    """
    if isinstance(error, (PostgresDown, PoolTimeout, InterfaceError, InternalClientError, OSError, TimeoutError)):
        return True
    state = sqlstate(error)
    if state is None:
        return isinstance(error, DBAPIError)
    if state == _INTERNAL:
        return any(words in str(error) for words in _LOST_NODE)
    return state.startswith(_TRANSIENT_CLASSES)


def may_be_down(error: BaseException) -> bool:
    """Returns whether an error may mean that Postgres is down. An error with a SQLSTATE shows that Postgres is up,
    unless the SQLSTATE is about the connection or a shutdown.
    """
    state = sqlstate(error)
    return is_transient(error) and (state is None or state.startswith(("08", "57P")))


def is_of_the_server(error: BaseException) -> bool:
    """Returns whether an error shows that Postgres is overloaded or unavailable, whatever the statements are. A
    timeout, a lost connection and an idle session that was ended do not show that: the statements may be the reason.
    """
    cause = error.__cause__ if isinstance(error, Unavailable) else error
    if cause is None or isinstance(cause, (Unavailable, PoolTimeout)):
        return True
    state = sqlstate(cause)
    return state is not None and (state.startswith(_SERVER_CLASSES) or (is_transient(cause) and state == _INTERNAL))


def replanned(statement: TextClause) -> TextClause:
    """Returns a copy of a statement for which Postgres makes a new plan each time that `Postgres.read` runs it, because
    its best plan depends on its parameters. Without this, Postgres may reuse a plan for other parameters.
    """
    return statement.execution_options(**{_OWN_PLAN: True})


class Reader(Protocol):
    """An object that can read rows: a `Transaction`, or `Postgres` outside of transactions."""

    async def read(self, statement: TextClause, **parameters: Any) -> Rows:
        """Runs a statement that changes nothing. Returns its rows."""


class Transaction:
    """A transaction: its statements commit together or not at all."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.is_distributed = distributed.is_distributed(connection)
        """Whether Citus distributes the tables."""

    async def execute(self, statement: TextClause, **parameters: Any) -> Rows:
        """Runs a statement. Returns its rows; an empty list if the statement returns no rows.

        On Citus, a statement of `one_shard` runs once for each shard with rows to lock (store/postgres/distributed.py).
        """
        if not self.is_distributed:
            return await self._execute(statement, parameters)
        statement = distributed.for_citus(statement)
        parts = await self._parts(statement, parameters)
        return [row for part in parts for row in await self._execute(statement, part)]

    async def read(self, statement: TextClause, **parameters: Any) -> Rows:
        """Runs a statement that changes nothing. Returns its rows."""
        return await self.execute(statement, **parameters)

    async def changed(self, statement: TextClause, **parameters: Any) -> int:
        """Runs a statement that changes rows. Returns the number of changed rows.

        The statement must not be one that `one_shard` made (store/postgres/distributed.py): on Citus, this method
        raises AssertionError for it.
        """
        if self.is_distributed:
            statement = distributed.for_citus(statement)
            assert distributed.place_of(statement) is None
        return int((await _run(statement, self._connection.execute, statement, parameters)).rowcount)

    async def _execute(self, statement: TextClause, parameters: dict[str, Any]) -> Rows:
        result = await _run(statement, self._connection.execute, statement, parameters)
        return result.all() if result.returns_rows else []

    async def _parts(self, statement: TextClause, parameters: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns the parameters for each run of a statement on Citus. A statement of `one_shard` runs once for each
        shard, any other statement once.
        """
        place = distributed.place_of(statement)
        if place is None or len(values := parameters[place.parameter]) == 1:
            return [parameters]
        found = await self._execute(distributed.SHARDS_OF, {"table": place.table, "values": values})
        return distributed.split(parameters, [shard for (shard,) in found])


class Postgres:
    """The Postgres connections of one process. A read is a single statement outside of transactions. At most
    `concurrent_reads` reads run at once; another read waits for its turn, at most `timeout_s` seconds.

    `engine` has the connections of reads and transactions, `watcher` the separate connection of `read_unqueued`.
    """

    def __init__(
        self, engine: Engine, watcher: Engine, concurrent_reads: int, timeout_s: float, breaker: Breaker
    ) -> None:
        self._engine = engine
        self._detection = distributed.Detection(engine)
        self._watcher = watcher.execution_options(isolation_level="AUTOCOMMIT")
        self._breaker = breaker
        self._reads = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._slots = asyncio.Semaphore(concurrent_reads)
        self._timeout_s = timeout_s
        self.begin: Callable[[Transaction], Awaitable[None]] | None = None
        """Called at the beginning of each transaction. If it raises, there is no transaction."""

    @property
    def is_up(self) -> bool:
        """Whether Postgres answered the last statement or probe."""
        return self._breaker.is_up

    @property
    def is_distributed(self) -> bool:
        """Whether Citus distributed the tables when this process connected last. False before its first connection."""
        return self._detection.is_distributed

    async def read(self, statement: TextClause, **parameters: Any) -> Rows:
        """Runs a statement outside a transaction. Returns its rows. Raises PostgresDown or the error of Postgres.

        If the connection is broken, as all old connections are after a restart of Postgres, runs the statement again.
        """
        async with self._guarded():
            return await self._breaker.call(self._read_in_turn(statement, parameters))

    async def read_unqueued(self, statement: TextClause) -> Rows:
        """Runs a statement over a separate connection, without waiting for other reads. Returns its rows. Raises
        PostgresDown or the error of Postgres.
        """
        async with self._guarded():
            return await self._breaker.call(greenlet_spawn(_rows, self._watcher, statement, {}))

    @asynccontextmanager
    async def _guarded(self) -> AsyncIterator[None]:
        """Runs a block that uses Postgres. Raises PostgresDown before the block if Postgres is known to be down. If the
        block fails and a repetition may work, raises PostgresDown or Deadlock in place of the error.
        """
        await self._breaker.check()
        try:
            yield
        except Exception as error:
            if may_be_down(error):
                self._breaker.suspect()
            raise _translated(error) from error

    async def _read_in_turn(self, statement: TextClause, parameters: dict[str, Any]) -> Rows:
        """Waits until fewer than `concurrent_reads` reads run, then runs this one. Waits at most as long as a statement
        may take, so that the queue does not grow while Postgres is slow.
        """
        async with asyncio.timeout(self._timeout_s):
            await self._slots.acquire()
        engine = self._engine if _OWN_PLAN in statement.get_execution_options() else self._reads
        run = partial(_run, statement, _rows, engine, statement, parameters)
        try:
            rows: Rows = await run()
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            rows = await run()
        finally:
            self._slots.release()
        return rows

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Yields a transaction that commits at the end of the block, and is rolled back if the block raises. Raises
        PostgresDown or the error of Postgres.
        """
        if usage := metrics.usage.get():
            usage.transactions += 1
        async with self._guarded():
            connection = await greenlet_spawn(self._engine.connect)
            try:
                transaction = Transaction(connection)
                if self.begin:
                    await self.begin(transaction)
                yield transaction
                await in_span("COMMIT", greenlet_spawn(connection.commit))
            finally:  # even if this task is cancelled again; closing rolls back what is not committed
                with suppress(DBAPIError):  # a broken connection, which must not hide the error of the block
                    await asyncio.shield(greenlet_spawn(connection.close))

    async def write(self, statement: TextClause, **parameters: Any) -> int:
        """Runs a statement in a transaction of its own. Returns the number of changed rows. Raises PostgresDown or the
        error of Postgres. The statement must not be one that `one_shard` made (see `Transaction.changed`).
        """
        async with self.transaction() as transaction:
            return await transaction.changed(statement, **parameters)

    async def close(self) -> None:
        await self._breaker.close()
        await greenlet_spawn(self._engine.dispose)
        await greenlet_spawn(self._watcher.dispose)


def _rows(engine: Engine, statement: TextClause, parameters: Mapping[str, Any]) -> Rows:
    """Runs a statement over a connection of an engine. Returns its rows; an empty list if there are none."""
    with engine.connect() as connection:
        if _OWN_PLAN in statement.get_execution_options():
            connection.execute(_REPLAN)
        if distributed.is_distributed(connection):
            statement = distributed.for_citus(statement)
        result = connection.execute(statement, parameters)
        return result.all() if result.returns_rows else []


def _run(statement: TextClause, function: Callable[..., Any], *args: Any) -> Awaitable[Any]:
    """Counts a statement in the metrics. Returns an awaitable that runs it by calling `function(*args)`."""
    metrics.SQL_QUERIES.inc()
    if usage := metrics.usage.get():
        usage.sql_queries += 1
    return in_span(statement.text, greenlet_spawn(function, *args))


def _translated(error: Exception) -> Exception:
    if sqlstate(error) == _DEADLOCK:
        return Deadlock()
    return PostgresDown() if is_transient(error) and not isinstance(error, PostgresDown) else error


def connect(settings: Settings, name: str) -> Postgres:
    """Returns a Postgres client, which connects when it is first used. Postgres shows its connections with the
    application name `plaudit-<name>`.
    """
    connect_args = {
        "timeout": settings.database_timeout,
        "command_timeout": settings.database_timeout,
        "server_settings": {"application_name": f"plaudit-{name}"},
    }
    session = {
        "jit": "off",
        "pg_trgm.similarity_threshold": str(LEAST_LIKENESS),
        # A process that hangs in a transaction must not keep its locks: other processes wait to take over its work.
        "idle_in_transaction_session_timeout": str(int(settings.database_timeout * 1000)),
    }
    if settings.connections.other_site:
        session["synchronous_commit"] = "local"  # only transactions that must wait for the other site do
    # Errors go to logs and dead letters, which must not contain the addresses and devices among the parameters.
    engine = partial(engine_at, settings.database_url, session=session, connect_args=connect_args, hide_parameters=True)
    size, timeout_s = settings.database_connections, settings.database_timeout
    pool = speed_up(engine(pool_size=size, max_overflow=0, pool_timeout=timeout_s))
    single = engine(poolclass=NullPool)
    watcher = engine(pool_size=1, max_overflow=0)

    async def probe() -> None:
        await greenlet_spawn(_rows, single, _PING, {})

    return Postgres(
        pool,
        watcher,
        max(1, settings.database_connections - 2),
        settings.database_timeout,
        Breaker("postgres", probe, PostgresDown),
    )
