"""Connections that send a whole pipeline in one write and return the answers as the server sent them.

redis-py connects, authenticates and finds masters. Its own pipelines are not used: they create timers, tasks and
records for each command, which cost several times as much as the commands themselves.
"""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import NoneType
from typing import Any, cast

import hiredis
from redis import asyncio as redis_asyncio
from redis import exceptions

from dependencies.redis import Connection

RedisCommand = tuple[Any, ...]
_MORE = object()
_PLAIN = frozenset({bytes, int, float, str, list, NoneType})
"""The classes of answers that are no errors."""


@contextmanager
def _closed_is_an_outage() -> Iterator[None]:
    """Raises ConnectionError instead of the RuntimeError that uvloop raises for a write to a closed transport."""
    try:
        yield
    except RuntimeError as error:
        raise exceptions.ConnectionError("The server closed the connection") from error


class _AnswerReader(asyncio.Protocol):
    """A protocol that wraps redis-py's own protocol of a connection, and reads the answers to a pipeline.

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
        """Writes packed commands, then waits for the expected number of answers and returns them."""
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[list[Any]] = loop.create_future()
        self._arrived = arrived
        self._answers, self._expected = [], expected
        late = loop.call_later(timeout_s, self._time_out) if timeout_s else None
        try:
            with _closed_is_an_outage():
                self.transport.write(packed)
            return await arrived
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
        self._fail(exceptions.ConnectionError("The server closed the connection"))
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
    """A connection of redis-py's that sends pipelines. `ConnectionPool` mixes this class into the class of connection
    that an address asks for.
    """

    run_id = ""
    """The run id of the connected server; empty if the server does not send one."""

    _answer_reader: _AnswerReader | None = None

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Sends a command of redis-py's own, while it connects. Raises ConnectionError if the server has gone."""
        with _closed_is_an_outage():
            await super().send_packed_command(command, check_health)

    async def exchange(self, commands: Iterable[RedisCommand], patience: float = 0) -> list[Any]:
        """Sends commands. Returns the raw answer of each; the error of a single command is returned in its place. Waits
        for `patience` seconds longer than the timeout of the connection.

        Raises redis-py's TimeoutError, ConnectionError or InvalidResponse, and closes the connection. It is then
        unknown which commands were executed.
        """
        packed = [hiredis.pack_command(command) for command in commands]
        try:
            timeout = self.socket_timeout and self.socket_timeout + patience
            answers = await self._reading().exchange(b"".join(packed), len(packed), timeout)
        except BaseException:
            self.abort()  # a regular close would wait for a server that does not read
            await self.disconnect(nowait=True)
            raise
        if not are_plain(answers) and any(isinstance(answer, exceptions.ReadOnlyError) for answer in answers):
            await self.disconnect(nowait=True)  # the server is no longer a master; reconnecting finds the new one
        return answers

    def write_commands(self, commands: Iterable[RedisCommand]) -> None:
        """Writes commands whose answers another task reads. Does not wait until the server takes the data. Raises
        nothing if the connection has ended; the reading task notices that.
        """
        if self.writer:
            with suppress(exceptions.ConnectionError), _closed_is_an_outage():
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

    def _reading(self) -> _AnswerReader:
        assert self.writer is not None
        transport = cast("asyncio.Transport", self.writer.transport)
        if self._answer_reader is None or self._answer_reader.transport is not transport:
            self._answer_reader = _AnswerReader(transport, self.parser.parse_error)
        return self._answer_reader


class ConnectionPool:
    """The connections to one Redis server, as many as are used at once. redis-py's `pool` makes them."""

    def __init__(self, pool: redis_asyncio.ConnectionPool) -> None:
        of = pool.connection_class
        pool.connection_class = type(f"Pipelined{of.__name__}", (PipelinedConnection, of), {})
        self._pool = pool
        self.verified: frozenset[str] = frozenset()
        """The run ids of verified servers. If empty, every server may be used."""
        self.is_unverified = False
        """Whether the last command found a server that is not verified."""
        self._idle: list[PipelinedConnection] = []
        self._closed = False

    async def exchange(
        self, commands: Iterable[RedisCommand], *, allow_unverified: bool = False, patience: float = 0
    ) -> list[Any]:
        """Sends commands over an idle or new connection, as `PipelinedConnection.exchange` does, and returns the
        answers.

        Also raises the errors of connecting, and UnverifiedServer if the server is not verified. With
        `allow_unverified`, a server that is not verified may answer too.
        """
        connection = self._idle.pop() if self._idle else self.new_connection()
        try:
            if not connection.is_ready:
                await connection.disconnect(nowait=True)  # redis-py may take the connection for sound
                await self._pool.ensure_connection(connection)
                connection.run_id = run_id(*await connection.exchange([("INFO", "server")]))
            if not allow_unverified:
                self.is_unverified = bool(self.verified) and connection.run_id not in self.verified
                if self.is_unverified:
                    raise UnverifiedServer(connection.run_id)
            return await connection.exchange(commands, patience)
        finally:
            self._idle.append(connection)
            if self._closed:
                await self.close()

    async def probe(self) -> None:
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

    def new_connection(self) -> PipelinedConnection:
        """Returns a new connection that is not connected yet and does not belong to the pool."""
        return cast("PipelinedConnection", self._pool.make_connection())  # type: ignore[no-untyped-call]

    async def close(self) -> None:
        """Closes idle connections now, and each busy connection at the end of its pipeline. Does not wait for the
        server.
        """
        self._closed = True
        for connection in self._idle:
            connection.abort()
            await connection.disconnect(nowait=True)


def are_plain(answers: Sequence[Any]) -> bool:
    """Returns whether no answer of a pipeline is an error."""
    return _PLAIN.issuperset(map(type, answers))


def run_id(info: Any) -> str:
    """Returns the run id from the answer to `INFO server`; an empty text if there is none.

    A server takes a new run id each time it starts.
    """
    return info.partition(b"run_id:")[2].partition(b"\r")[0].decode() if isinstance(info, bytes) else ""
