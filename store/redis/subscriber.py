"""Subscriptions to channels of one Redis server, over one connection that is made again whenever it breaks.

Input: the channels that are wanted from the server. Output: calls of `notify` with the name of a channel, for each
message and each time Redis confirms the subscription to the channel. Redis also confirms it after a reconnection, so a
call of `notify` can mean that messages were missed. Each subscriber reconnects independently of the others.
"""

import asyncio
from collections.abc import Callable
from typing import Any

from redis.exceptions import ResponseError

from observability.logs import Log
from store.backoff import pause, rest
from store.redis.connection import OneServer, PipelinedConnection

log = Log(__name__)

_SILENCE = 10.0
"""Seconds without data after which a PING is sent, and seconds in which it must be answered."""
_LONGEST = 2.0
"""The longest pause between attempts to connect, in seconds."""


class Subscriber:
    """The subscriptions of a process at one Redis server. A connection exists while any channel is wanted.

    `notify` is called with the name of a channel that has a message or was subscribed. `lost` is called with a reason
    when the connection broke or the server refused or ended a subscription, because channels may have moved to other
    servers.
    """

    def __init__(
        self, server: OneServer, shard: str, notify: Callable[[str], object], lost: Callable[[str], object]
    ) -> None:
        """`shard` is the prefix of the commands: S for SSUBSCRIBE if channels are sharded, else empty."""
        self._server = server
        self._shard = shard
        self._notify = notify
        self._lost = lost
        self._connection: PipelinedConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._wanted: set[str] = set()
        self._requested: set[str] = set()
        """The channels for which SUBSCRIBE was sent."""
        self._changed: set[str] = set()
        """The channels to which the subscription may have to begin or end."""
        self._failures = 0
        """The number of failed connections in a row."""
        self.confirmed: set[str] = set()
        """The channels whose subscription Redis has confirmed."""

    @property
    def is_idle(self) -> bool:
        """Whether there is no connection and none is being made."""
        return self._task is None or self._task.done()

    def add(self, channel: str) -> None:
        """Subscribes to a channel. Connects if there is no connection."""
        self._wanted.add(channel)
        self._change(channel)
        if self.is_idle:
            self._task = asyncio.create_task(self._keep_listening())

    def drop(self, channel: str) -> None:
        """Ends the subscription to a channel. The connection ends with the last subscription."""
        self._wanted.discard(channel)
        self._change(channel)

    async def close(self) -> None:
        """Ends all subscriptions and the connection."""
        self._wanted.clear()  # a cancellation alone may be lost while the connection is being made
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})

    def _change(self, channel: str) -> None:
        self._changed.add(channel)
        asyncio.get_running_loop().call_soon(self.send_changes)  # the first call sends all changes of this turn

    def send_changes(self) -> None:
        """Sends SUBSCRIBE and UNSUBSCRIBE for changed channels, and for channels that the server refused or took away.

        Sends nothing without a connection: a new connection begins by subscribing to all wanted channels.
        """
        changed, self._changed = self._changed, set()
        if not (changed and self._connection):
            return
        gone, new = (changed & self._requested) - self._wanted, (changed & self._wanted) - self._requested
        self._requested = self._requested - gone | new
        self._connection.write_commands([*self._commands("UNSUBSCRIBE", gone), *self._commands("SUBSCRIBE", new)])

    def _commands(self, verb: str, channels: set[str]) -> list[tuple[str, ...]]:
        """Returns the commands that subscribe to some channels or end the subscription, as `verb` says. With sharded
        channels, returns one command for each, because a command may name only channels of one slot.
        """
        if self._shard:
            return [(f"{self._shard}{verb}", channel) for channel in channels]
        return [(verb, *channels)] if channels else []

    async def _keep_listening(self) -> None:
        while self._wanted:
            try:
                await self._listen()
            except Exception as error:  # noqa: BLE001 - whatever the error is, the subscriber connects again
                self._failures += 1
                log.warning(
                    "not listening to Redis",
                    server=self._server.address,
                    error=repr(error),
                    failures=self._failures,
                )
                self._lost(repr(error))
                await rest(pause(self._failures, _LONGEST))

    async def _listen(self) -> None:
        """Connects, and reads until no channel is wanted. Raises the error that breaks the connection."""
        connection = self._server.new_connection()
        try:
            await connection.connect()  # type: ignore[no-untyped-call]
            self._connection, self._changed = connection, set(self._wanted)
            self.send_changes()
            await self._read(connection)
        finally:
            self._connection = None
            self._requested, self.confirmed = set(), set()
            await connection.disconnect(nowait=True)

    async def _read(self, connection: PipelinedConnection) -> None:
        """Reads messages from the connection. Raises ConnectionError if the server does not answer a PING."""
        is_pinged = False
        while self._wanted:
            try:
                message = await connection.read_response(timeout=_SILENCE, disconnect_on_error=False)
            except ResponseError as error:  # Redis does not name the refused channel: any unconfirmed one may be meant
                self._lose(self._requested - self.confirmed, repr(error))
                continue
            if message is None and is_pinged:
                raise ConnectionError("Redis does not answer a listener.")
            if message is None:
                connection.write_commands([("PING",)])
            elif isinstance(message, list):  # without subscriptions, the answer to PING is no list
                self._receive(message)
            is_pinged = message is None

    def _receive(self, message: list[Any]) -> None:
        kind, channel = message[0].removeprefix(b"s") if self._shard else message[0], message[1].decode()
        if kind == b"unsubscribe":
            self.confirmed.discard(channel)
            if channel in self._requested:  # wanted again meanwhile, or the slot has moved to another server
                self._lose({channel}, "the server ended a subscription")
        elif kind == b"subscribe":
            self._failures = 0
            self.confirmed.add(channel)
            self._notify(channel)
        elif kind == b"message":
            self._notify(channel)

    def _lose(self, channels: set[str], reason: str) -> None:
        """Marks channels as no longer subscribed. `send_changes` subscribes to them again."""
        self._requested -= channels
        self._changed |= channels
        self._lost(reason)
