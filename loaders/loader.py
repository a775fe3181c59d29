"""A DataLoader that also takes whole lists: one future for all keys of a trip, not one for each."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import TypeVar

from aiodataloader import DataLoader

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

Trip = asyncio.Future[None]
"""Done when its keys have been answered."""


class Loader(DataLoader[K, V]):
    """Answers each key once per request; `load` and `load_many` share what has been answered and what is under way."""

    def __init__(self, fetch: Callable[[list[K]], Awaitable[Sequence[V]]]) -> None:
        super().__init__(self.load_many)
        self._fetch = fetch
        self._known: dict[K, V] = {}
        self._trips: dict[K, Trip] = {}
        self._next: Trip | None = None

    async def load_many(self, keys: Sequence[K]) -> list[V]:  # type: ignore[override]
        """Values in the order of their keys, in one trip with whatever else is asked for in this tick."""
        known = self._known
        if missing := [key for key in keys if key not in known]:
            for trip in self._trips_of(missing):
                await asyncio.shield(trip)
        return [known[key] for key in keys]

    def _trips_of(self, keys: list[K]) -> set[Trip]:
        """Those under way that carry some of the keys, and the next one for the others."""
        if new := [key for key in keys if key not in self._trips]:
            if self._next is None:
                loop = asyncio.get_running_loop()
                self._next = loop.create_future()
                loop.call_soon(self._depart)
            self._trips.update(dict.fromkeys(new, self._next))
        return {self._trips[key] for key in keys}

    def _depart(self) -> None:
        assert self._next is not None
        trip, self._next = self._next, None
        keys = [key for key, its in self._trips.items() if its is trip]
        task = asyncio.ensure_future(self._run(keys))
        task.add_done_callback(lambda done: self._arrive(trip, keys, done))

    async def _run(self, keys: list[K]) -> None:
        self._known.update(zip(keys, await self._fetch(keys), strict=True))

    def _arrive(self, trip: Trip, keys: list[K], done: "asyncio.Task[None]") -> None:
        for key in keys:
            del self._trips[key]
        if trip.done():
            return
        if done.cancelled():
            trip.cancel()
        elif error := done.exception():
            trip.set_exception(error)
            trip.exception()  # whoever asked may have gone
        else:
            trip.set_result(None)
