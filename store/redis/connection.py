"""A client of one Redis server: its connections and its circuit breaker. A connection sends a whole pipeline in one
write and returns the answers as the server sent them.

A deployment has one `OneServer` if there is one server, or one primary behind Sentinel. A cluster has one `OneServer`
per master (store/redis/cluster.py).

redis-py connects, authenticates and finds masters. Its own pipelines are not used: they create timers, tasks and
records for each command, which cost several times as much as the commands themselves.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from types import NoneType
from typing import Any, cast

import hiredis
from redis import asyncio as redis_asyncio
from redis import exceptions

from dependencies.redis import Connection
from store.breaker import Breaker
from store.redis.down import FAILURES, RedisDown, is_down

RedisCommand = tuple[Any, ...]
_MORE = object()
_PLAIN = frozenset({bytes, int, float, str, list, NoneType})
"""The classes of answers that are no errors."""
_ENDED = "The server closed the connection"


class _AnswerReader(asyncio.Protocol):
    """An asyncio protocol that takes the place of redis-py's protocol on a connection, and reads the answers to a
    pipeline.

    The connection becomes unusable if data arrives while no pipeline runs, or after the last answer: such data could be
    taken for the answer to a later command.
    """

    def __init__(self, transport: asyncio.Transport, parse_error: Any) -> None:
        self.transport = transport
        self._wrapped = cast("asyncio.Protocol", transport.get_protocol())
        self._reader = hiredis.Reader(
            protocolError=exceptions.InvalidResponse, replyError=parse_error, notEnoughData=_MORE
        )
        self._answers: list[Any] = []
        self._expected = 0
        self._arrived: asyncio.Future[list[Any]] | None = None
        self.usable = True
        """False once the connection has ended or unexpected data has arrived."""
        transport.set_protocol(self)

    async def exchange(self, packed: bytes, expected: int, timeout_s: float | None) -> list[Any]:
        """Writes packed commands, then waits for `expected` answers and returns them. Raises redis-py's TimeoutError,
        ConnectionError or InvalidResponse.
        """
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[list[Any]] = loop.create_future()
        self._arrived = arrived
        self._answers, self._expected = [], expected
        late = loop.call_later(timeout_s, self._time_out) if timeout_s else None
        try:
            self.transport.write(packed)
            return await arrived
        except RuntimeError as error:  # uvloop raises it for a write to a closed transport
            raise exceptions.ConnectionError(_ENDED) from error
        finally:
            self._arrived = None
            if late:
                late.cancel()

    def data_received(self, data: bytes) -> None:
        if self._arrived is None or self._arrived.done():
            self.usable = False
            self._wrapped.data_received(data)
            return
        try:
            self._reader.feed(data)
            while len(self._answers) < self._expected:
                answer = self._reader.gets(False)
                if answer is _MORE:
                    return
                self._answers.append(answer)
        except exceptions.InvalidResponse as error:
            self._fail(error)
        else:
            self.usable = not self._reader.has_data()
            self._arrived.set_result(self._answers)

    def eof_received(self) -> bool | None:
        self._fail(exceptions.ConnectionError(_ENDED))
        return self._wrapped.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exceptions.ConnectionError(f"The connection broke: {exc}"))
        self._wrapped.connection_lost(exc)

    def pause_writing(self) -> None:
        self._wrapped.pause_writing()

    def resume_writing(self) -> None:
        self._wrapped.resume_writing()

    def _time_out(self) -> None:
        self._fail(exceptions.TimeoutError("The server did not answer in time"))

    def _fail(self, error: Exception) -> None:
        self.usable = False
        if self._arrived and not self._arrived.done():
            self._arrived.set_exception(error)


class UnverifiedServer(exceptions.ConnectionError):
    """The error for a Redis server that no worker has verified since it started. The server may have lost data."""


class PipelinedConnection(Connection):
    """A redis-py connection that sends pipelines. `OneServer` mixes this class into the class of connection that an
    address asks for (TCP, TLS or Unix socket).
    """

    run_id = ""
    """The run id of the connected server; empty if the server does not send one."""

    _answer_reader: _AnswerReader | None = None

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Sends one of the commands with which redis-py connects. Raises ConnectionError if the server has gone."""
        try:
            await super().send_packed_command(command, check_health)
        except RuntimeError as error:  # of uvloop, as in `_AnswerReader.exchange`
            raise exceptions.ConnectionError(_ENDED) from error

    async def exchange(self, commands: Iterable[RedisCommand], patience: float = 0) -> list[Any]:
        """Sends commands. Returns the raw answer to each; if the server refuses a command, the error stands in its
        place. Waits for `patience` seconds longer than the timeout of the connection.

        If there is no complete answer, closes the connection and raises redis-py's TimeoutError, ConnectionError or
        InvalidResponse. It is then unknown which commands were executed.
        """
        assert self.writer is not None
        transport = cast("asyncio.Transport", self.writer.transport)
        if self._answer_reader is None or self._answer_reader.transport is not transport:
            self._answer_reader = _AnswerReader(transport, self.parser.parse_error)
        packed = [hiredis.pack_command(command) for command in commands]
        timeout = self.socket_timeout and self.socket_timeout + patience
        try:
            answers = await self._answer_reader.exchange(b"".join(packed), len(packed), timeout)
        except BaseException:
            self.abort()  # a regular close would wait for a server that does not read
            await self.disconnect(nowait=True)
            raise
        if not are_plain(answers) and any(isinstance(answer, exceptions.ReadOnlyError) for answer in answers):
            await self.disconnect(nowait=True)  # the server is no longer a master; reconnecting finds the new one
        return answers

    def write_commands(self, commands: Iterable[RedisCommand]) -> None:
        """Writes commands whose answers another task reads. Does not wait until the server takes the data. Does not
        raise if the connection has ended, because the reading task notices that.
        """
        if self.writer:
            with suppress(RuntimeError):  # of uvloop, for a closed transport
                self.writer.write(b"".join(hiredis.pack_command(command) for command in commands))

    @property
    def is_ready(self) -> bool:
        """Whether the connection is open and no unexpected data has arrived."""
        reader = self._answer_reader
        if not (self.writer and reader and reader.usable):
            return False
        return reader.transport is self.writer.transport and not reader.transport.is_closing()

    def abort(self) -> None:
        """Ends the connection at once. A task that waits for an answer from it gets ConnectionError."""
        transport, self.last_transport = self.last_transport, None  # some versions of asyncio fail at a second abort
        if transport:
            transport.abort()


class OneServer:
    """A client of one Redis server. `pool` is redis-py's pool, which makes the connections. At most `connections` calls
    of `send` run at once.
    """

    def __init__(
        self,
        pool: redis_asyncio.ConnectionPool,
        name: str,
        connections: int,
        address: str,
        *,
        tell: Callable[[bool], object] | None = None,
    ) -> None:
        """`name` and `tell` are passed to the circuit breaker (`Breaker`)."""
        of = pool.connection_class
        pool.connection_class = type(f"Pipelined{of.__name__}", (PipelinedConnection, of), {})
        self._pool = pool
        self.address = address
        """host:port, the path of a Unix socket, or `primary` for the server that the sentinels name."""
        self.breaker = Breaker(name, self._probe, RedisDown, tell)
        self._verified: frozenset[str] = frozenset()
        self._is_unverified = False
        """Whether the last command found a server that is not verified."""
        self._slots = asyncio.Semaphore(connections)
        self._idle: list[PipelinedConnection] = []
        self._closed = False

    @property
    def is_up(self) -> bool:
        """Whether the server answered the last command or probe."""
        return self.breaker.is_up

    @property
    def is_any_up(self) -> bool:
        """Whether the server, which is the only one, answered the last command or probe."""
        return self.breaker.is_up

    @property
    def is_failing_over(self) -> bool:
        """Always False: there is no other server that could answer while a replica takes over."""
        return False

    @property
    def is_unavailable(self) -> bool:
        """Whether the server did not answer the last command or probe, or may have lost data (is not verified)."""
        return self._is_unverified or not self.breaker.is_up

    def require_verified(self, run_ids: frozenset[str]) -> None:
        """From now on, sends commands only to a server with one of these run ids; to any server if `run_ids` is empty.
        A server takes a new run id each time it starts.
        """
        self._verified = run_ids

    async def send(self, commands: Sequence[RedisCommand], *, allow_unverified: bool = False) -> list[Any]:
        """Sends commands. Returns the answer or the error of each: RedisDown if the server is known to be down.

        With `allow_unverified`, sends them even if the server is not verified (`require_verified`).
        """
        async with self._slots:
            try:
                if not self.breaker.is_up:
                    await self.breaker.check()
                return await self.exchange(commands, allow_unverified=allow_unverified)
            except FAILURES as error:
                if not isinstance(error, (UnverifiedServer, RedisDown)):
                    self.breaker.suspect()
                return [error] * len(commands)

    async def send_to_all(self, commands: Sequence[RedisCommand]) -> dict[str, list[Any]]:
        """Sends commands to this server, which is the only one. Returns, by the server's address, the answer or the
        error of each command.
        """
        return {self.address: await self.send(commands)}

    async def exchange(
        self, commands: Iterable[RedisCommand], *, allow_unverified: bool = False, patience: float = 0
    ) -> list[Any]:
        """Sends commands over an idle or new connection, as `PipelinedConnection.exchange` does, and returns the
        answers. Unlike `send`, does not wait for a free connection and does not ask the circuit breaker.

        Also raises the errors of connecting and, without `allow_unverified`, UnverifiedServer if the server is not
        verified (`require_verified`).
        """
        connection = self._idle.pop() if self._idle else self.new_connection()
        try:
            if not connection.is_ready:
                await connection.disconnect(nowait=True)  # redis-py may take the connection for sound
                await self._pool.ensure_connection(connection)
                (info,) = await connection.exchange([("INFO", "server")])
                if is_down(info):  # a busy server accepts connections; without a run id, this one could never be used
                    connection.abort()
                    raise info
                connection.run_id = run_id(info)
            if not allow_unverified:
                self._is_unverified = bool(self._verified) and connection.run_id not in self._verified
                if self._is_unverified:
                    raise UnverifiedServer(connection.run_id)
            return await connection.exchange(commands, patience)
        finally:
            self._idle.append(connection)
            if self._closed:
                await self._close_idle()

    def new_connection(self) -> PipelinedConnection:
        """Returns a new connection that is not connected yet. The caller owns it: `send` does not use it."""
        return cast("PipelinedConnection", self._pool.make_connection())  # type: ignore[no-untyped-call]

    async def locate_slots(self) -> None:
        """Does nothing: one server has all slots."""

    def server_of(self, _: str) -> "OneServer":
        """Returns this server, which has all keys and channels."""
        return self

    async def close(self) -> None:
        """Closes idle connections now, and each busy connection when its pipeline ends. Later commands fail. Does not
        wait for the server.
        """
        await self.breaker.close()
        self._closed = True
        await self._close_idle()

    async def _close_idle(self) -> None:
        for connection in self._idle:
            connection.abort()
            await connection.disconnect(nowait=True)

    async def _probe(self) -> None:
        """Sends PING over a new connection. Raises the errors of connecting and of `PipelinedConnection.exchange`."""
        connection = self.new_connection()
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
            (answer,) = await connection.exchange([("PING",)])
            if isinstance(answer, exceptions.ConnectionError):  # the server is still loading its data
                raise answer
        finally:
            connection.abort()
            await connection.disconnect(nowait=True)


def are_plain(answers: Sequence[Any]) -> bool:
    """Returns whether none of the answers to a pipeline is an error."""
    return _PLAIN.issuperset(map(type, answers))


def run_id(info: Any) -> str:
    """Returns the run id from the answer to `INFO server`; an empty text if there is none.

    A server takes a new run id each time it starts.
    """
    return info.partition(b"run_id:")[2].partition(b"\r")[0].decode() if isinstance(info, bytes) else ""
