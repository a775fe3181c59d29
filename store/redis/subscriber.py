"""One server's channels: a connection that listens, made again whenever it breaks.

Enters: the channels that are wanted of the server. Leaves: the name of a channel when a message comes, and when Redis
confirms the subscription, which it does again after each interruption. Each subscriber fails and tries again by itself.
"""

import asyncio
from collections.abc import Callable
from typing import Any

import structlog
from redis.exceptions import ResponseError

from store.backoff import pause, rest
from store.redis.connection import Exchanging
from store.redis.standalone import OneServer

log = structlog.get_logger(__name__)

_SILENCE = 10.0
"""Seconds after which a connection is asked whether it is still one; it has as long to answer."""
_PATIENCE = 2.0
"""The longest pause between attempts to connect."""


class Subscriber:
    """Listens to one server while any channel is wanted of it.

    Calls `hear` with a channel, and `displaced` with the reason when others may have the channels by now.
    """

    def __init__(
        self, server: OneServer, shard: str, hear: Callable[[str], object], displaced: Callable[[str], object]
    ) -> None:
        """`shard` stands before the commands' names: S where channels are sharded, else nothing."""
        self._server = server
        self._shard = shard
        self._hear = hear
        self._displaced = displaced
        self._connection: Exchanging | None = None
        self._task: asyncio.Task[None] | None = None
        self._wanted: set[str] = set()
        self._told: set[str] = set()
        """The channels that have been subscribed to."""
        self._due: set[str] = set()
        """The channels of which Redis may have been told something else than what is wanted."""
        self._failures = 0
        """In a row."""
        self.heard: set[str] = set()
        """The channels that Redis has confirmed."""

    @property
    def is_idle(self) -> bool:
        """Whether there is no connection, and none is being made."""
        return self._task is None or self._task.done()

    def add(self, channel: str) -> None:
        """Subscribes to a channel."""
        self._wanted.add(channel)
        self._change(channel)
        if self.is_idle:
            self._task = asyncio.create_task(self._keep_listening())

    def drop(self, channel: str) -> None:
        """Ends a subscription, and the connection with the last one."""
        self._wanted.discard(channel)
        self._change(channel)

    def retry(self) -> None:
        """Subscribes anew to the channels that were refused or taken away."""
        self._tell()

    async def close(self) -> None:
        """Ends everything."""
        self._wanted.clear()  # a cancellation alone may be lost while it connects
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})

    def _change(self, channel: str) -> None:
        self._due.add(channel)
        asyncio.get_running_loop().call_soon(self._tell)  # the first tells all that change in this tick

    def _tell(self) -> None:
        """Tells Redis what has changed; nothing where there is no connection, since that begins by telling all."""
        due, self._due = self._due, set()
        if not (due and self._connection):
            return
        left, new = (due & self._told) - self._wanted, (due & self._wanted) - self._told
        self._told = self._told - left | new
        self._connection.say([*self._commands("UNSUBSCRIBE", left), *self._commands("SUBSCRIBE", new)])

    def _commands(self, verb: str, channels: set[str]) -> list[tuple[str, ...]]:
        """One command may name many channels, but only of one slot."""
        if self._shard:
            return [(f"{self._shard}{verb}", channel) for channel in channels]
        return [(verb, *channels)] if channels else []

    async def _keep_listening(self) -> None:
        while self._wanted:
            try:
                await self._listen()
            except Exception as error:  # noqa: BLE001 - whatever it was, listening again is all there is to do
                self._failures += 1
                log.warning(
                    "not listening to Redis",
                    server=self._server.address,
                    error=repr(error),
                    failures=self._failures,
                )
                self._displaced(repr(error))
                await rest(pause(self._failures, _PATIENCE))

    async def _listen(self) -> None:
        """Connects, and reads until nothing is wanted. Raises what breaks the connection."""
        connection = self._server.exchange.line()
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
            self._connection, self._due = connection, set(self._wanted)
            self._tell()
            await self._read(connection)
        finally:
            self._connection = None
            self._told, self.heard = set(), set()
            await connection.disconnect(nowait=True)

    async def _read(self, connection: Exchanging) -> None:
        """Raises ConnectionError when the server says nothing any more."""
        is_asked = False
        while self._wanted:
            try:
                said = await connection.read_response(timeout=_SILENCE, disconnect_on_error=False)
            except ResponseError as error:
                self._refused(error)
                continue
            if said is None and is_asked:
                raise ConnectionError("Redis does not answer a listener.")
            if said is None:
                connection.say([("PING",)])
            elif isinstance(said, list):  # else it is the answer to PING where nothing is subscribed to any more
                self._receive(said)
            is_asked = said is None

    def _receive(self, said: list[Any]) -> None:
        what, channel = said[0].removeprefix(b"s") if self._shard else said[0], said[1].decode()
        if what == b"unsubscribe":
            self.heard.discard(channel)
            if channel in self._told:  # it is wanted again by now, or its slot has moved to another server
                self._lose({channel}, "the server ended a subscription")
        elif what == b"subscribe":
            self._failures = 0
            self.heard.add(channel)
            self._hear(channel)
        elif what == b"message":
            self._hear(channel)

    def _refused(self, error: ResponseError) -> None:
        """Redis does not say which channel it refuses: all that it has not confirmed may be meant."""
        self._lose(self._told - self.heard, repr(error))

    def _lose(self, channels: set[str], why: str) -> None:
        self._told -= channels
        self._due |= channels
        self._displaced(why)
