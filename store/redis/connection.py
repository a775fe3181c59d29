"""A whole pipeline on one connection of redis-py's: commands in, one write, their answers as the server sent them.

redis-py connects, signs in, and finds masters; its own pipelines cost several times what they carry, in timers, tasks
and records for each command.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, cast

import hiredis
from redis import asyncio as redis_asyncio
from redis import exceptions
from redis.asyncio.connection import AbstractConnection

RedisCommand = tuple[Any, ...]
_MORE = object()


@contextmanager
def _closed_is_an_outage() -> Iterator[None]:
    """Raises ConnectionError where uvloop raises RuntimeError: it cannot write to a transport that is closed."""
    try:
        yield
    except RuntimeError as error:
        raise exceptions.ConnectionError("The server closed the connection") from error


class _Tap(asyncio.Protocol):
    """Stands before redis-py's own protocol of a connection and takes the answers of an exchange.

    What comes while there is none, or behind the last of them, is nobody's: such a connection is not used any more.
    """

    def __init__(self, transport: asyncio.Transport, parse_error: Any) -> None:
        self.transport = transport
        self._behind = cast("asyncio.Protocol", transport.get_protocol())
        self._reader = hiredis.Reader(
            protocolError=exceptions.InvalidResponse, replyError=parse_error, notEnoughData=_MORE
        )
        self._answers: list[Any] = []
        self._expected = 0
        self._arrived: asyncio.Future[list[Any]] | None = None
        self.usable = True
        """False once the connection has ended, or somebody said something unasked."""
        transport.set_protocol(self)

    async def exchange(self, packed: bytes, expected: int, patience: float | None) -> list[Any]:
        """Writes, and waits for so many answers, for so many seconds."""
        loop = asyncio.get_running_loop()
        arrived: asyncio.Future[list[Any]] = loop.create_future()
        self._arrived = arrived
        self._answers, self._expected = [], expected
        late = loop.call_later(patience, self._give_up) if patience else None
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
            self._behind.data_received(data)
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
        return self._behind.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(exceptions.ConnectionError(f"The connection broke: {exc}"))
        self._behind.connection_lost(exc)

    def pause_writing(self) -> None:
        self._behind.pause_writing()

    def resume_writing(self) -> None:
        self._behind.resume_writing()

    def _give_up(self) -> None:
        self._fail(exceptions.TimeoutError("The server did not answer in time"))

    def _fail(self, error: Exception) -> None:
        self.usable = False
        if self._arrived and not self._arrived.done():
            self._arrived.set_exception(error)


class Stranger(exceptions.ConnectionError):
    """A server that nobody has vouched for: it may lack what is believed to be there."""


class Exchanging(AbstractConnection):
    """Goes before the class of connection that an address asks for: see `Exchange`."""

    run_id = ""
    """What the server at the other end calls this run of it; nothing where it does not say."""

    _tap: _Tap | None = None
    _transport: asyncio.WriteTransport | None = None
    """The last one: redis-py forgets it when it says goodbye."""

    async def _connect(self) -> None:
        await super()._connect()  # type: ignore[no-untyped-call, safe-super]
        self._transport = self._writer.transport if self._writer else None

    async def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Sends what redis-py says while it connects. Raises ConnectionError where the server has gone meanwhile."""
        with _closed_is_an_outage():
            await super().send_packed_command(command, check_health)

    async def exchange(self, commands: Iterable[RedisCommand]) -> list[Any]:
        """The raw answer of each command, errors of single commands among them.

        Raises redis-py's TimeoutError, ConnectionError or InvalidResponse. The connection is closed then, and nobody
        knows what was done.
        """
        packed = [hiredis.pack_command(command) for command in commands]
        try:
            answers = await self._tapped().exchange(b"".join(packed), len(packed), self.socket_timeout)
        except BaseException:
            self.abort()  # to close it would wait for a server that does not read, or say no goodbye
            await self.disconnect(nowait=True)
            raise
        if any(isinstance(answer, exceptions.ReadOnlyError) for answer in answers):
            await self.disconnect(nowait=True)  # a master no longer: connecting again finds out who is
        return answers

    def say(self, commands: Iterable[RedisCommand]) -> None:
        """Writes commands whose answers somebody else reads. Nobody waits for a server that takes nothing, and the
        reader notices that a connection has ended.
        """
        if self._writer:
            with suppress(exceptions.ConnectionError), _closed_is_an_outage():
                self._writer.write(b"".join(hiredis.pack_command(command) for command in commands))

    @property
    def is_ready(self) -> bool:
        """Whether it is connected, and nothing has come to it that says otherwise."""
        if not (self._writer and self._tap and self._tap.usable):
            return False
        return self._tap.transport is self._writer.transport and not self._tap.transport.is_closing()

    def abort(self) -> None:
        """Ends it at once. Whoever waits for something here hears that the connection broke."""
        transport, self._transport = self._transport, None  # some versions of asyncio fail when it is ended twice
        if transport:
            transport.abort()

    def _tapped(self) -> _Tap:
        assert self._writer is not None
        transport = cast("asyncio.Transport", self._writer.transport)
        if self._tap is None or self._tap.transport is not transport:
            self._tap = _Tap(transport, self._parser.parse_error)
        return self._tap


class ConnectionPool:
    """Connections that can exchange, as many as are used at once; a pool of redis-py's says how they are made."""

    def __init__(self, pool: redis_asyncio.ConnectionPool) -> None:
        of = pool.connection_class
        pool.connection_class = type(f"Exchanging{of.__name__}", (Exchanging, of), {})
        self._pool = pool
        self.trusted: frozenset[str] = frozenset()
        """The runs of servers that are vouched for; none for any."""
        self.is_strange = False
        """Whether who was asked last is none of them."""
        self._idle: list[Exchanging] = []
        self._closed = False

    async def __call__(self, commands: Iterable[RedisCommand], *, anyone: bool = False) -> list[Any]:
        """One exchange, with `anyone` or a run of a server that is trusted. Raises what it raises, and what connecting
        does.
        """
        connection = self._idle.pop() if self._idle else self.line()
        try:
            if not connection.is_ready:
                await connection.disconnect(nowait=True)  # redis-py may take it for sound: it does not see what we do
                await self._pool.ensure_connection(connection)
                connection.run_id = run_id(*await connection.exchange([("INFO", "server")]))
            if not anyone:
                self.is_strange = bool(self.trusted) and connection.run_id not in self.trusted
                if self.is_strange:
                    raise Stranger(connection.run_id)
            return await connection.exchange(commands)
        finally:
            self._idle.append(connection)
            if self._closed:
                await self.close()

    async def probe(self) -> None:
        """Asks over a new connection whether anybody is there. Raises what exchanging and connecting do."""
        connection = self.line()
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
            (answer,) = await connection.exchange([("PING",)])
            if isinstance(answer, exceptions.ConnectionError):  # it is still loading
                raise answer
        finally:
            connection.abort()
            await connection.disconnect(nowait=True)

    def line(self) -> Exchanging:
        """A connection, nobody else's and not yet connected."""
        return cast("Exchanging", self._pool.make_connection())  # type: ignore[no-untyped-call]

    async def close(self) -> None:
        """Of connections that nobody uses, and of others once nobody does, whether the server takes notice or not."""
        self._closed = True
        for connection in self._idle:
            connection.abort()
            await connection.disconnect(nowait=True)


def run_id(about: Any) -> str:
    """What a server calls its run, from `INFO server`; nothing where it does not say."""
    return about.partition(b"run_id:")[2].partition(b"\r")[0].decode() if isinstance(about, bytes) else ""
