"""Messages to API processes about changed objects: published by workers through Redis, received by listeners.

Input: the names of changed objects, after the changes can be read. Output: these names, without values. Guarantee: each
listener is notified when it begins, and at least once after the last change, even if a connection was lost in between.
A listener may be notified more often than necessary. Redis stores no messages: a message in a channel without listeners
is lost.

All listeners of a process share one connection, or one connection to each server of a cluster, where channels are
sharded. A channel is subscribed while it has listeners. While a server is down, only its own channels are silent.
"""

import asyncio
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from models.counters import EntityRef
from observability.logs import Log
from store import keys
from store.backoff import pause, rest
from store.cache.log import CacheLog
from store.realtime.changes import ChangeFeed
from store.redis.client import Redis
from store.redis.connection import OneServer
from store.redis.down import result_or_error
from store.redis.subscriber import Subscriber

log = Log(__name__)

K = TypeVar("K", bound=Hashable)

_LONGEST = 2.0
"""The longest pause between two searches for the servers of channels, in seconds."""


class Events:
    """The listeners of one process, which are told about changed objects, and the process's subscriptions to the Redis
    channels of these objects.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self.log: CacheLog | None = None
        """Where messages are recorded, so that another site publishes them too; None if there is no other site."""
        self._listeners: dict[str, dict[ChangeFeed[Any], Any]] = {}
        """The feeds that listen to each channel, with each feed's name for the channel."""
        self._subscriber_of: dict[str, Subscriber] = {}
        """The subscriber of each channel; none until the cluster's slot map is known."""
        self._subscribers: dict[str, Subscriber] = {}
        """The subscribers by the address of their server."""
        self._search_reason = ""
        """Why some channels may have moved to other servers; empty if none may."""
        self._search: asyncio.Task[None] | None = None

    @property
    def channels(self) -> int:
        """The number of channels that have listeners."""
        return len(self._listeners)

    @property
    def unconfirmed(self) -> int:
        """The number of channels that have listeners and whose subscription no server has confirmed."""
        return sum(not self._is_confirmed(channel) for channel in self._listeners)

    async def publish(self, refs: Iterable[EntityRef]) -> None:
        """Publishes a message for each of these entities or users, whose counters have changed. Call it after the
        changes can be read. Raises RedisDown.
        """
        commands = [(self._redis.publish_command, keys.changes(ref), b"") for ref in refs]
        await self._redis.gather(commands, write=True)
        if self.log:
            self.log.note(commands)
            await self.log.flush()

    def counter_changes(self, refs: Iterable[EntityRef]) -> "AbstractContextManager[ChangeFeed[EntityRef]]":
        """Yields a feed that returns those of these entities or users whose counters change, while the block runs. The
        feed also returns each of them at the beginning and after each interruption; see `changes_in`.
        """
        return self.changes_in({keys.changes(ref): ref for ref in refs})

    @contextmanager
    def changes_in(self, channels: Mapping[str, K]) -> Iterator[ChangeFeed[K]]:
        """Yields a feed of changed objects while the block runs. `channels` maps each Redis channel to listen to, to
        the object that the feed returns for a message in the channel. The feed also returns each object when its
        subscription begins, and again after each interruption.
        """
        changes: ChangeFeed[K] = ChangeFeed()
        for channel, thing in channels.items():
            self._listeners.setdefault(channel, {})[changes] = thing
            self._subscribe(channel)
            if self._is_confirmed(channel):
                changes.mark(thing)
        try:
            yield changes
        finally:
            for channel in channels:
                del self._listeners[channel][changes]
                if not self._listeners[channel]:
                    self._unsubscribe(channel)

    def mark_all(self) -> None:
        """Marks all objects as changed for all listeners. Call it while writes go directly to Postgres, because such
        writes publish no messages.
        """
        for channel in self._listeners:
            self._mark(channel)

    async def close(self) -> None:
        """Ends the connections to Redis. Listeners are no longer notified."""
        if self._search:
            self._search.cancel()
            await asyncio.wait({self._search})
        await asyncio.gather(*[subscriber.close() for subscriber in self._subscribers.values()])

    def _is_confirmed(self, channel: str) -> bool:
        return channel in self._subscriber_of and channel in self._subscriber_of[channel].confirmed

    def _subscribe(self, channel: str) -> None:
        """Subscribes to a channel at the Redis server that has it now, and unsubscribes from the server that had it
        before. If the server is not known, starts a search for it.
        """
        server = self._redis.servers.server_of(channel)
        if server is None:
            self._begin_search("no slot map is known")
            return
        before, subscriber = self._subscriber_of.get(channel), self._subscriber_at(server)
        if before is not subscriber:
            if before:
                before.drop(channel)
            self._subscriber_of[channel] = subscriber
            subscriber.add(channel)

    def _subscribe_all(self) -> None:
        for channel in self._listeners:
            self._subscribe(channel)
        for subscriber in self._subscribers.values():
            subscriber.send_changes()
        self._subscribers = {at: one for at, one in self._subscribers.items() if not one.is_idle}

    def _unsubscribe(self, channel: str) -> None:
        del self._listeners[channel]
        if subscriber := self._subscriber_of.pop(channel, None):
            subscriber.drop(channel)

    def _subscriber_at(self, server: OneServer) -> Subscriber:
        if server.address not in self._subscribers:
            shard = "S" if self._redis.cluster else ""
            self._subscribers[server.address] = Subscriber(server, shard, self._mark, self._begin_search)
        return self._subscribers[server.address]

    def _begin_search(self, reason: str) -> None:
        """Starts a task that finds the Redis servers of channels, unless one is running. `reason` is logged."""
        self._search_reason = reason
        if self._search is None or self._search.done():
            self._search = asyncio.create_task(self._keep_searching())

    async def _keep_searching(self) -> None:
        """Finds the Redis server of each channel, and subscribes there, again and again until no server refuses a
        channel.
        """
        searches = 0
        while self._search_reason and self._listeners:
            reason, self._search_reason = self._search_reason, ""
            log.info("looking for the servers of channels", why=reason, searches=searches)
            await result_or_error(self._redis.servers.locate_slots)
            self._subscribe_all()
            searches += 1
            await rest(pause(searches, _LONGEST))

    def _mark(self, channel: str) -> None:
        for changes, thing in self._listeners.get(channel, {}).items():
            changes.mark(thing)
