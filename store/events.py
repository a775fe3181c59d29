"""Word that something changed: from the workers, through Redis, to whoever in an API process wants to read it anew.

Enters: the addresses of what changed, once that can be read. Leaves: the same addresses, without values. Promised: each
listener is told when it begins, and at least once after the last change, also where a connection was lost meanwhile;
rather too often than too rarely. Redis keeps none of this: word that nobody listens to is gone.

All listeners of a process share one connection, or one to each node of a cluster, where the channels are sharded. A
channel is subscribed to while anybody listens to it, and the connections are open while anybody listens at all.
"""

import asyncio
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

import structlog

from models.counters import EntityRef
from store import keys
from store.backoff import pause
from store.changes import Changes
from store.redis import Redis

log = structlog.get_logger(__name__)

K = TypeVar("K", bound=Hashable)

_SILENCE = 10.0
"""Seconds after which a connection is asked whether it is still one; it has as long to answer."""
_PATIENCE = 2.0
"""The longest pause between attempts to connect."""


class Events:
    """One per process."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._shard = "S" if redis.cluster else ""
        self._listeners: dict[str, dict[Changes[Any], Any]] = {}
        """By channel: everything this process wants to hear, and what each listener calls it."""
        self._told: set[str] = set()
        """The channels that have been subscribed to."""
        self._heard: set[str] = set()
        """Those of them that Redis has confirmed."""
        self._wanted = asyncio.Event()
        """Set when `_listeners` has other channels than `_told`."""
        self._lines: dict[str, Any] = {}
        """Connections, by server."""
        self._conversation: asyncio.Task[None] | None = None

    @property
    def channels(self) -> int:
        """How many channels somebody listens to."""
        return len(self._listeners)

    async def publish(self, refs: Iterable[EntityRef]) -> None:
        """Tells whoever listens. To be called after what changed can be read."""
        command = self._redis.publish_command
        await self._redis.gather([(command, keys.changes(ref), b"") for ref in refs], write=True)

    def listening(self, refs: Iterable[EntityRef]) -> "AbstractContextManager[Changes[EntityRef]]":
        """Whose counters change while the block runs, as `hearing`."""
        return self.hearing({keys.changes(ref): ref for ref in refs})

    @contextmanager
    def hearing(self, channels: Mapping[str, K]) -> Iterator[Changes[K]]:
        """What is announced in channels while the block runs, by the names given them. Everything counts as changed
        once when it can be heard for the first time and after each interruption.
        """
        changes: Changes[K] = Changes()
        for channel, thing in channels.items():
            self._listeners.setdefault(channel, {})[changes] = thing
            if channel in self._heard:
                changes.touch(thing)
        self._converse()
        try:
            yield changes
        finally:
            for channel in channels:
                del self._listeners[channel][changes]
                if not self._listeners[channel]:
                    del self._listeners[channel]
            self._wanted.set()

    def touch(self) -> None:
        """Everything may have changed that anybody listens to: nobody was told while writes were direct."""
        for listeners in self._listeners.values():
            for changes, thing in listeners.items():
                changes.touch(thing)

    async def close(self) -> None:
        """Ends the connections; nobody is told anything any more."""
        if self._conversation:
            self._conversation.cancel()
            await asyncio.gather(self._conversation, return_exceptions=True)

    def _converse(self) -> None:
        self._wanted.set()
        if self._conversation is None or self._conversation.done():
            self._conversation = asyncio.create_task(self._keep_conversing())

    async def _keep_conversing(self) -> None:
        """Until nobody listens; from the beginning whenever a connection breaks."""
        failures = 0
        while self._listeners:
            try:
                await self._conversing()
            except* Exception as group:  # noqa: BLE001 - whatever it was, listening again is all there is to do
                failures = 0 if self._heard else failures + 1
                log.warning("not listening to Redis", error=repr(group.exceptions[0]), failures=failures)
            finally:
                await self._hang_up()
            if self._listeners:
                await asyncio.sleep(pause(failures, _PATIENCE))

    async def _conversing(self) -> None:
        """Keeps what Redis was told in step with what is wanted, while others read what it says."""
        async with asyncio.TaskGroup() as readers:
            reading: list[asyncio.Task[None]] = []
            await self._redis.servers.locate()  # whatever broke may have moved slots elsewhere
            while self._listeners:
                self._wanted.clear()
                wanted = set(self._listeners)
                lines = await self._say("UNSUBSCRIBE", self._told - wanted)
                lines += await self._say("SUBSCRIBE", wanted - self._told)
                reading += [readers.create_task(self._read(line)) for line in lines]
                await self._wanted.wait()
            for task in reading:
                task.cancel()

    async def _say(self, verb: str, channels: set[str]) -> list[Any]:
        """Returns the connections that were made for it."""
        new: list[Any] = []
        by_line: dict[str, list[str]] = {}
        for channel in channels:
            server = self._redis.servers.holding(channel)
            if server.address not in self._lines:
                self._lines[server.address] = line = server.exchange.line()
                await line.connect()  # type: ignore[no-untyped-call]
                new.append(line)
            by_line.setdefault(server.address, []).append(channel)
        self._told = self._told | channels if verb == "SUBSCRIBE" else self._told - channels
        for address, some in by_line.items():
            # One command may name many channels, but only of one slot.
            for command in [[one] for one in some] if self._redis.cluster else [some]:
                await self._lines[address].send_command(f"{self._shard}{verb}", *command, check_health=False)
        return new

    async def _read(self, line: Any) -> None:
        """Hears one connection out. Raises what breaks it, or ConnectionError when it says nothing any more."""
        asked = False
        while True:
            said = await line.read_response(timeout=_SILENCE, disconnect_on_error=False)
            if said is not None:
                asked = False
                if isinstance(said, list):  # else it is the answer to PING where nothing is subscribed to any more
                    self._hear(said)
            elif asked:
                raise ConnectionError("Redis does not answer a listener.")
            else:
                asked = True
                await line.send_command("PING", check_health=False)

    def _hear(self, said: list[Any]) -> None:
        what, channel = said[0].removeprefix(b"s") if self._shard else said[0], said[1].decode()
        if what == b"unsubscribe":
            self._heard.discard(channel)
            if channel in self._told:  # it is wanted again by now, or its slot has moved to another server
                self._told.discard(channel)
                self._wanted.set()
        elif what == b"subscribe":
            self._heard.add(channel)
            self._touch(channel)
        elif what == b"message":
            self._touch(channel)

    def _touch(self, channel: str) -> None:
        for changes, thing in self._listeners.get(channel, {}).items():
            changes.touch(thing)

    async def _hang_up(self) -> None:
        lines, self._lines = self._lines, {}
        self._told, self._heard = set(), set()
        for line in lines.values():
            await line.disconnect(nowait=True)
