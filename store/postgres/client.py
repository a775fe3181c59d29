"""Postgres as the rest of the code sees it: statements in, rows out, every one counted and bounded in time."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from sqlalchemy import NullPool, TextClause, text
from sqlalchemy.exc import DBAPIError, InterfaceError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from domain.errors import Unavailable
from models.engines import engine_at
from observability import metrics
from settings import Settings
from store.breaker import Breaker

Rows = Sequence[Any]
_EASY = text("SELECT 1")

_TRANSIENT_CLASSES = ("08", "25006", "25P03", "40", "53", "55P03", "57", "58")
"""Single states among them: a failover has left us on a standby, our session was ended for idling, a lock was busy."""
_REFUSED_CLASSES = ("21", "22", "23")


class PostgresDown(Unavailable):
    """Postgres did not answer, or not in time. For a transaction this means that nobody knows whether it committed."""

    reason = "POSTGRES_DOWN"


def sqlstate(error: BaseException) -> str | None:
    """The five characters with which Postgres explains an error, if it was Postgres that raised it."""
    original = error.orig if isinstance(error, DBAPIError) else error
    return getattr(original, "sqlstate", None) or getattr(original, "pgcode", None)


def is_refusal(error: BaseException) -> bool:
    """Whether the database will never take this data, however often it is asked."""
    state = sqlstate(error)
    return state is not None and state.startswith(_REFUSED_CLASSES)


def is_transient(error: BaseException) -> bool:
    """Whether trying again may work: lost connections, deadlocks, full disks, shutdowns."""
    if isinstance(error, (PostgresDown, PoolTimeout, InterfaceError, OSError, TimeoutError)):
        return True
    state = sqlstate(error)
    if state is None:
        return isinstance(error, DBAPIError)
    return state.startswith(_TRANSIENT_CLASSES)


def is_silence(error: BaseException) -> bool:
    """Whether it may be that nobody is there: a server that says what is wrong is, unless it says that it goes."""
    state = sqlstate(error)
    return is_transient(error) and (state is None or state.startswith(("08", "57P")))


class Transaction:
    """Statements that commit together."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def execute(self, statement: TextClause, **parameters: Any) -> Rows:
        """Runs a statement. Returns its rows, none for one that returns nothing."""
        _count()
        result = await self._connection.execute(statement, parameters)
        return result.all() if result.returns_rows else []

    async def changed(self, statement: TextClause, **parameters: Any) -> int:
        """Runs a statement that returns nothing. Returns how many rows it touched."""
        _count()
        result = await self._connection.execute(statement, parameters)
        return result.rowcount


class Postgres:
    """One pool. Reads are single statements outside transactions and wait their turn behind a semaphore."""

    def __init__(
        self, engine: AsyncEngine, watcher: AsyncEngine, concurrent_reads: int, patience: float, breaker: Breaker
    ) -> None:
        self._engine = engine
        self._watcher = watcher.execution_options(isolation_level="AUTOCOMMIT")
        self._breaker = breaker
        self._reads = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._turns = asyncio.Semaphore(concurrent_reads)
        self._patience = patience

    @property
    def is_up(self) -> bool:
        """Whether it answers, as far as is known."""
        return self._breaker.is_up

    async def read(self, statement: TextClause, **parameters: Any) -> Rows:
        """Rows of one statement, asked once more when the connection turns out to be broken, as all are that have
        outlived a restart of the server. Raises PostgresDown when there is no answer.
        """
        async with self._asking():
            return await self._breaker.call(self._read_in_turn(statement, parameters))

    async def glance(self, statement: TextClause) -> Rows:
        """Rows of a statement that waits for none of the others, over a connection of its own. Raises PostgresDown."""
        async with self._asking():
            return await self._breaker.call(self._glance(statement))

    async def _glance(self, statement: TextClause) -> Rows:
        async with self._watcher.connect() as connection:
            return (await connection.execute(statement)).all()

    @asynccontextmanager
    async def _asking(self) -> AsyncIterator[None]:
        """Raises PostgresDown at once while it is known to be down, and when it turns out to be."""
        await self._breaker.check()
        try:
            yield
        except Exception as error:
            if is_silence(error):
                self._breaker.suspect()
            raise _translated(error) from error

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """Waits no longer than a statement may take: a queue that grows while Postgres is slow helps nobody."""
        async with asyncio.timeout(self._patience):
            await self._turns.acquire()
        try:
            yield
        finally:
            self._turns.release()

    async def _read_in_turn(self, statement: TextClause, parameters: dict[str, Any]) -> Rows:
        async with self._turn():
            try:
                return await self._read(statement, parameters)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                return await self._read(statement, parameters)

    async def _read(self, statement: TextClause, parameters: dict[str, Any]) -> Rows:
        async with self._reads.connect() as connection:
            return await Transaction(connection).execute(statement, **parameters)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transaction]:
        """Commits at the end of the block, or nothing at all. Raises PostgresDown, or the database's refusal."""
        async with self._asking(), self._engine.begin() as connection:
            yield Transaction(connection)

    async def close(self) -> None:
        await self._breaker.close()
        await self._engine.dispose()
        await self._watcher.dispose()


def _count() -> None:
    metrics.SQL_QUERIES.inc()
    if usage := metrics.usage.get():
        usage.sql_queries += 1


def _translated(error: Exception) -> Exception:
    return PostgresDown() if is_transient(error) and not isinstance(error, PostgresDown) else error


def connect(settings: Settings, name: str) -> Postgres:
    """A pool of connections labelled with the process's name. Connects when first used."""
    connect_args = {
        "timeout": settings.database_timeout,
        "command_timeout": settings.database_timeout,
        "server_settings": {
            "application_name": f"plaudit-{name}",
            "jit": "off",
            # A process that hangs in a transaction must not keep its locks: others wait to take over its work.
            "idle_in_transaction_session_timeout": str(int(settings.database_timeout * 1000)),
        },
    }
    # What is hidden are addresses and devices: errors go to logs and dead letters.
    engine = partial(engine_at, settings.database_url, connect_args=connect_args, hide_parameters=True)
    pool = engine(pool_size=settings.database_connections, max_overflow=0, pool_timeout=settings.database_timeout)
    single = engine(poolclass=NullPool)
    watcher = engine(pool_size=1, max_overflow=0)

    async def probe() -> None:
        async with single.connect() as connection:
            await connection.execute(_EASY)

    return Postgres(
        pool,
        watcher,
        max(1, settings.database_connections - 2),
        settings.database_timeout,
        Breaker("postgres", probe, PostgresDown),
    )
