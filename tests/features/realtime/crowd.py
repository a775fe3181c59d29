"""A crowd before an API: many connections that watch the same field, and people who give them something to hear."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from commands import likes, posts
from commands.posts import Content
from context import Client, Context, Viewer
from loaders.shared import SharedLoaders, shared_loaders
from state import State
from store.reactions.likes import Verb
from tests.support.subscriptions import ApiAtAddress, Socket

PAUSE = 0.01
"""Seconds between two things that happen."""


@dataclass
class Fan:
    """Somebody on a connection of their own, and the values they have heard."""

    handle: str | None
    socket: Socket
    heard: list[Any] = field(default_factory=list)

    async def listen(self) -> None:
        """For ever. Fails at whatever is not an event without errors."""
        while True:
            message = await self.socket.receive()
            assert message["type"] == "next", message
            assert "errors" not in message["payload"], message
            (value,) = message["payload"]["data"].values()
            self.heard.append(value)


@dataclass
class Stand:
    """Where a crowd gathers: an API with a worker behind it, and its stores at hand."""

    api: ApiAtAddress
    state: State
    crowd: int
    seconds: float
    """For how long things happen before it."""
    pace: float
    """Values a second that everybody hears at least of what happens all the time; 0 where others use the machine."""
    shared: SharedLoaders | None = None

    @asynccontextmanager
    async def watching(self, query: str, handles: Sequence[str | None], **variables: Any) -> AsyncIterator[list[Fan]]:
        """A connection for each, all of them subscribed, heard in the background while the block runs."""
        async with AsyncExitStack() as connections, asyncio.TaskGroup() as listeners:
            before, fans = await self.measured("plaudit_subscriptions{"), []
            for handle in handles:
                socket = await connections.enter_async_context(self.api.socket(handle))
                await socket.send(id="1", type="subscribe", payload={"query": query, "variables": variables})
                fans.append(Fan(handle, socket))
            await self.until(lambda: self._subscribed(before + len(fans)))
            tasks = [listeners.create_task(fan.listen()) for fan in fans]
            yield fans
            for task in tasks:
                task.cancel()

    async def _subscribed(self, count: float) -> bool:
        return await self.measured("plaudit_subscriptions{") == count

    async def happening(self, act: Callable[[int], Awaitable[Any]], pause: float = PAUSE) -> tuple[int, float]:
        """Acts 0, 1, 2, … one after the other. Returns how many there were, and for how many seconds."""
        clock = asyncio.get_running_loop().time
        began, number = clock(), 0
        while clock() < began + self.seconds:
            await act(number)
            number += 1
            await asyncio.sleep(pause)
        return number, clock() - began

    def liking(self, *things: str) -> Callable[[int], Awaitable[Any]]:
        """Likes by people who never came before, of one thing after the other."""

        async def like(number: int) -> None:
            await likes.react(self._of(10**18 + number), Verb.LIKE, things[number % len(things)], None, None)

        return like

    def posting(self, author_id: str) -> Callable[[int], Awaitable[Any]]:
        """Posts by somebody, `post 0` and so on."""

        async def post(number: int) -> None:
            await posts.publish(self._of(int(author_id.partition(":")[2])), Content(f"post {number}"), f"key {number}")

        return post

    def _of(self, user_id: int) -> Context:
        """Of a request through the stores' scripts alone, which takes nothing from the API's time."""
        shared = self.shared = self.shared or shared_loaders(self.state)
        return Context(self.state, shared, Viewer(user_id, self.state.settings.jwt_issuer, frozenset(), None), Client())

    async def empty(self) -> None:
        """Returns when nobody is connected any more."""
        await self.until(self._left)
        assert await self.measured("plaudit_subscriptions{") == 0

    async def _left(self) -> bool:
        return await self.measured("plaudit_connections{") == 0

    async def measured(self, name: str) -> float:
        """The sum of the API's metrics whose lines begin so."""
        lines = (await self.api.http.get("/metrics")).text.splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith(name))

    async def until(self, holds: Callable[[], Awaitable[bool]]) -> None:
        """Returns when it holds."""
        async with asyncio.timeout(60):
            while not await holds():
                await asyncio.sleep(0.02)
