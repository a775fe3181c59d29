"""A feed of changed objects for one listener, such as a subscription. The feed returns an object once for all changes
since the listener last got the object, and at most four times a second.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Hashable
from contextlib import suppress
from typing import Generic, TypeVar

from domain.errors import Unavailable

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

_PACE = 0.25
"""The shortest time between two reads of the same thing, in seconds."""
_AGAIN = 1.0
"""The longest time, in seconds, after which an object that could not be read is read again."""


class ChangeFeed(Generic[K]):
    """An endless asynchronous iterator over objects that were marked as changed. Its size is bounded by the number of
    objects: a slow listener gets an object only once for all changes that it has missed.

    An object that is marked while the listener reads it is returned again. So the listener's last read begins after the
    last mark.
    """

    def __init__(self) -> None:
        self._due: dict[K, float] = {}
        """The marked things, and when each may be returned."""
        self._next: dict[K, float] = {}
        """When each thing that was returned may be returned again."""
        self._marked = asyncio.Event()

    def mark(self, thing: K) -> None:
        """Marks an object that has changed, or may have changed."""
        if thing not in self._due:
            self._due[thing] = self._next.get(thing, 0.0)
            self._marked.set()

    def mark_later(self, thing: K, seconds: float) -> None:
        """Marks an object as changed after some seconds."""
        asyncio.get_running_loop().call_later(seconds, self.mark, thing)

    def retry(self, thing: K) -> None:
        """Marks an object again after about a second, because it could not be read, or only in part."""
        self.mark_later(thing, _AGAIN * random.uniform(0.5, 1))  # noqa: S311 - jitter

    async def read_or_retry(self, thing: K, reading: Awaitable[T]) -> T | None:
        """Awaits `reading`, which reads a changed object, and returns its result. If a store is down, returns None and
        marks the object again later.
        """
        try:
            return await reading
        except Unavailable:
            self.retry(thing)
            return None

    def __aiter__(self) -> AsyncIterator[K]:
        return self

    async def __anext__(self) -> K:
        clock = asyncio.get_running_loop().time
        while True:
            thing = min(self._due, key=self._due.__getitem__, default=None)
            if thing is not None and self._due[thing] <= clock():
                del self._due[thing]
                self._next[thing] = clock() + _PACE
                return thing
            self._marked.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(None if thing is None else self._due[thing]):
                    await self._marked.wait()
