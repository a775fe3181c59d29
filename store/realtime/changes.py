"""What one listener still has to look at: each thing once however often it changed, and none more than so often."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Hashable
from contextlib import suppress
from typing import Generic, TypeVar

from domain.errors import Unavailable

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")

_PACE = 0.25
"""Seconds between two looks at the same thing."""
_AGAIN = 1.0
"""Seconds, at most, until what could not be looked at is looked at again."""


class ChangeFeed(Generic[K]):
    """Iterates, for ever, over what was touched. Bounded by how many things there are: a listener that is slow is told
    of what it has missed only once.

    A thing that is touched while it is being looked at comes again, so the last look is always after the last touch.
    """

    def __init__(self) -> None:
        self._due: dict[K, float] = {}
        self._rested: dict[K, float] = {}
        """When each thing may be looked at again."""
        self._touched = asyncio.Event()

    def touch(self, thing: K) -> None:
        """It changed, or may have."""
        if thing not in self._due:
            self._due[thing] = self._rested.get(thing, 0.0)
            self._touched.set()

    def touch_later(self, thing: K, seconds: float) -> None:
        """It may have changed by then."""
        asyncio.get_running_loop().call_later(seconds, self.touch, thing)

    async def look(self, thing: K, reading: Awaitable[T]) -> T | None:
        """What is read of a thing; None while a store is away: then it is touched again in a moment."""
        try:
            return await reading
        except Unavailable:
            self.touch_later(thing, _AGAIN * random.uniform(0.5, 1))  # noqa: S311 - jitter
            return None

    def __aiter__(self) -> AsyncIterator[K]:
        return self

    async def __anext__(self) -> K:
        clock = asyncio.get_running_loop().time
        while True:
            thing = min(self._due, key=self._due.__getitem__, default=None)
            if thing is not None and self._due[thing] <= clock():
                del self._due[thing]
                self._rested[thing] = clock() + _PACE
                return thing
            self._touched.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout_at(None if thing is None else self._due[thing]):
                    await self._touched.wait()
