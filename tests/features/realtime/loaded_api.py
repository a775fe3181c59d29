"""Load tests of an API: many connections that watch one field, and changes that cause events."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from commands import likes, posts
from commands.posts import PostContent
from context import Client, Context, Viewer
from loaders.shared import SharedLoaders
from models.likes import Verb
from state import State
from tests.support.subscriptions import ApiAtAddress, Socket

PAUSE = 0.01
"""The seconds between two changes."""


@dataclass
class Subscriber:
    """A subscribed connection, and the values that it has received."""

    handle: str | None
    socket: Socket
    received: list[Any] = field(default_factory=list)

    async def listen(self) -> None:
        """Collects values until the task is cancelled. Fails at every message that is not an event without errors."""
        while True:
            message = await self.socket.receive()
            assert message["type"] == "next", message
            assert "errors" not in message["payload"], message
            (value,) = message["payload"]["data"].values()
            self.received.append(value)


@dataclass
class LoadedApi:
    """An API with a worker, under load of many subscribed connections."""

    api: ApiAtAddress
    state: State
    connections: int
    seconds: float
    """The duration of the load."""
    least_rate: float
    """The least values per second that every connection must receive. 0 on a machine with other load."""
    shared: SharedLoaders | None = None

    @asynccontextmanager
    async def watching(
        self, query: str, handles: Sequence[str | None], **variables: Any
    ) -> AsyncIterator[list[Subscriber]]:
        """Yields one subscribed connection per handle. Background tasks receive their values while the block runs."""
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as listeners:
            before, subscribers = await self.measured("plaudit_subscriptions{"), []
            for handle in handles:
                socket = await stack.enter_async_context(self.api.socket(handle))
                await socket.send(id="1", type="subscribe", payload={"query": query, "variables": variables})
                subscribers.append(Subscriber(handle, socket))
            await self.until(lambda: self._subscribed(before + len(subscribers)))
            tasks = [listeners.create_task(subscriber.listen()) for subscriber in subscribers]
            yield subscribers
            for task in tasks:
                task.cancel()

    async def _subscribed(self, count: float) -> bool:
        return await self.measured("plaudit_subscriptions{") == count

    async def repeat(
        self, act: Callable[[int], Awaitable[Any]], pause: float = PAUSE, least: int = 1
    ) -> tuple[int, float]:
        """Calls `act` with 0, 1, 2, … one after the other, at least `least` times. Returns the number of calls and
        their seconds.
        """
        clock = asyncio.get_running_loop().time
        began, number = clock(), 0
        while number < least or clock() < began + self.seconds:
            await act(number)
            number += 1
            await asyncio.sleep(pause)
        return number, clock() - began

    def liking(self, *things: str) -> Callable[[int], Awaitable[Any]]:
        """Returns an `act` that likes these things in turn, each time as a new user."""

        async def like(number: int) -> None:
            await likes.react(self._context(10**18 + number), Verb.LIKE, things[number % len(things)], None, None)

        return like

    def posting(self, author_id: str) -> Callable[[int], Awaitable[Any]]:
        """Returns an `act` that publishes `post 0`, `post 1` and so on as this author."""

        async def post(number: int) -> None:
            await posts.publish(
                self._context(int(author_id.partition(":")[2])), PostContent(f"post {number}"), f"key {number}"
            )

        return post

    def _context(self, user_id: int) -> Context:
        """Returns the context of a command that this process runs itself, so that the API spends no time on it."""
        shared = self.shared = self.shared or SharedLoaders(self.state)
        return Context(self.state, shared, Viewer(user_id, self.state.settings.issuer, frozenset(), None), Client())

    async def all_closed(self) -> None:
        """Waits until no client is connected."""
        await self.until(self._no_connection)
        assert await self.measured("plaudit_subscriptions{") == 0

    async def _no_connection(self) -> bool:
        return await self.measured("plaudit_connections{") == 0

    async def measured(self, name: str) -> float:
        """Returns the sum of the API's metrics whose lines begin with `name`."""
        lines = (await self.api.http.get("/metrics")).text.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(name))

    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Waits until the condition holds."""
        async with asyncio.timeout(60):
            while not await holds():
                await asyncio.sleep(0.02)
