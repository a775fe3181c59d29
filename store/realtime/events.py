"""Word that something changed: from the workers, through Redis, to whoever in an API process wants to read it anew.

Enters: the addresses of what changed, once that can be read. Leaves: the same addresses, without values. Promised: each
listener is told when it begins, and at least once after the last change, also where a connection was lost meanwhile;
rather too often than too rarely. Redis keeps none of this: word that nobody listens to is gone.

All listeners of a process share one connection, or one to each node of a cluster, where the channels are sharded. A
channel is subscribed to while anybody listens to it. A node that is away silences its own channels alone.
"""

import asyncio
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

import structlog

from models.counters import EntityRef
from store import keys
from store.backoff import pause, rest
from store.realtime.changes import ChangeFeed
from store.redis.client import Redis
from store.redis.down import caught
from store.redis.standalone import OneServer
from store.redis.subscriber import Subscriber

log = structlog.get_logger(__name__)

K = TypeVar("K", bound=Hashable)

_PATIENCE = 2.0
"""The longest pause between two searches for the servers of channels."""


class Events:
    """One per process."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._listeners: dict[str, dict[ChangeFeed[Any], Any]] = {}
        """By channel: everything this process wants to hear, and what each listener calls it."""
        self._places: dict[str, Subscriber] = {}
        """By channel: who subscribes to it; none before anybody has told who has which slot."""
        self._subscribers: dict[str, Subscriber] = {}
        """By server."""
        self._displaced = ""
        """Why some channels may be on other servers by now; empty if none may."""
        self._search: asyncio.Task[None] | None = None
        redis.servers.on_move(self._place_all)

    @property
    def channels(self) -> int:
        """How many channels somebody listens to."""
        return len(self._listeners)

    @property
    def unheard(self) -> int:
        """To how many of them no server has confirmed a subscription."""
        return sum(not self._is_heard(channel) for channel in self._listeners)

    async def publish(self, refs: Iterable[EntityRef]) -> None:
        """Tells whoever listens. To be called after what changed can be read."""
        command = self._redis.publish_command
        await self._redis.gather([(command, keys.changes(ref), b"") for ref in refs], write=True)

    def listening(self, refs: Iterable[EntityRef]) -> "AbstractContextManager[ChangeFeed[EntityRef]]":
        """Whose counters change while the block runs, as `hearing`."""
        return self.hearing({keys.changes(ref): ref for ref in refs})

    @contextmanager
    def hearing(self, channels: Mapping[str, K]) -> Iterator[ChangeFeed[K]]:
        """What is announced in channels while the block runs, by the names given them. Everything counts as changed
        once when it can be heard for the first time and after each interruption.
        """
        changes: ChangeFeed[K] = ChangeFeed()
        for channel, thing in channels.items():
            self._listeners.setdefault(channel, {})[changes] = thing
            self._place(channel)
            if self._is_heard(channel):
                changes.touch(thing)
        try:
            yield changes
        finally:
            for channel in channels:
                del self._listeners[channel][changes]
                if not self._listeners[channel]:
                    self._forget(channel)

    def touch(self) -> None:
        """Everything may have changed that anybody listens to: nobody was told while writes were direct."""
        for listeners in self._listeners.values():
            for changes, thing in listeners.items():
                changes.touch(thing)

    async def close(self) -> None:
        """Ends the connections; nobody is told anything any more."""
        if self._search:
            self._search.cancel()
            await asyncio.wait({self._search})
        await asyncio.gather(*[subscriber.close() for subscriber in self._subscribers.values()])

    def _is_heard(self, channel: str) -> bool:
        return channel in self._places and channel in self._places[channel].heard

    def _place(self, channel: str) -> None:
        """Subscribes to a channel where it is now, and no longer where it was."""
        server = self._redis.servers.holding(channel)
        if server is None:
            self._look_again("nobody has told yet")
            return
        before, subscriber = self._places.get(channel), self._subscriber(server)
        if before is not subscriber:
            if before:
                before.drop(channel)
            self._places[channel] = subscriber
            subscriber.add(channel)

    def _place_all(self) -> None:
        for channel in self._listeners:
            self._place(channel)
        for subscriber in self._subscribers.values():
            subscriber.retry()
        self._subscribers = {at: one for at, one in self._subscribers.items() if not one.is_idle}

    def _forget(self, channel: str) -> None:
        """Nobody listens to it any more."""
        del self._listeners[channel]
        if subscriber := self._places.pop(channel, None):
            subscriber.drop(channel)

    def _subscriber(self, server: OneServer) -> Subscriber:
        if server.address not in self._subscribers:
            shard = "S" if self._redis.cluster else ""
            self._subscribers[server.address] = Subscriber(server, shard, self._touch, self._look_again)
        return self._subscribers[server.address]

    def _look_again(self, why: str) -> None:
        """Begins to look for the servers of channels, unless somebody does."""
        self._displaced = why
        if self._search is None or self._search.done():
            self._search = asyncio.create_task(self._keep_looking())

    async def _keep_looking(self) -> None:
        """Until every channel is on a server that has not refused it."""
        looks = 0
        while self._displaced and self._listeners:
            why, self._displaced = self._displaced, ""
            log.info("looking for the servers of channels", why=why, looks=looks)
            await caught(self._redis.servers.locate)
            self._place_all()
            looks += 1
            await rest(pause(looks, _PATIENCE))

    def _touch(self, channel: str) -> None:
        for changes, thing in self._listeners.get(channel, {}).items():
            changes.touch(thing)
