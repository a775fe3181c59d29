"""A DataLoader that also takes whole lists: one task for all keys of a trip, no future for each."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Generator, Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from aiodataloader import DataLoader

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

Trip = asyncio.Task[Mapping[Any, Exception]]
"""Done when its keys have been answered, with those that were not: there may be nobody left to hear of them."""


class PendingValues(Awaitable[list[Any]], Generic[K, V]):
    """Values on their way, to be awaited."""

    __slots__ = ("_each", "_keys", "_known", "_trips")

    def __init__(self, keys: Sequence[K], known: Mapping[K, V], trips: Collection[Trip], each: bool) -> None:
        self._keys = keys
        self._known = known
        self._trips = trips
        self._each = each

    def __await__(self) -> Generator[Any, None, list[Any]]:
        failed: dict[K, Exception] = {}
        for trip in self._trips:
            if failures := (yield from asyncio.shield(trip).__await__()):
                failed |= failures
        known = self._known
        if not failed:
            return [known[key] for key in self._keys]
        values = [known[key] if key in known else failed[key] for key in self._keys]
        if not self._each and (error := next((one for one in values if isinstance(one, Exception)), None)):
            raise error
        return values


class Loader(DataLoader[K, V]):
    """Answers each key once per request; `load` and `load_many` share what has been answered and what is under way.

    `fetch` gives an exception in the place of a value that it has not got, or raises what all fail with.
    """

    def __init__(self, fetch: Callable[[list[K]], Awaitable[Sequence[V | Exception]]]) -> None:
        super().__init__(self._load_each)
        self._fetch = fetch
        self._known: dict[K, V] = {}
        self._trips: dict[K, Trip] = {}
        self._boarding: list[K] = []
        """The keys of the next trip, which leaves in the next turn of the event loop."""

    async def load_many(self, keys: Sequence[K]) -> list[V]:  # type: ignore[override]
        """Values in the order of their keys, in one trip with whatever else is asked for in this tick."""
        return await self.ask(keys)

    async def _load_each(self, keys: Sequence[K]) -> list[V]:
        """For `load`, which raises what its own key failed with."""
        return await self.ask(keys, each=True)

    def ask(self, keys: Sequence[K], *, each: bool = False) -> "PendingValues[K, V]":
        """The same, on their way when this returns; whoever asks awaits them when they are needed, or never.

        Awaiting raises what any of the keys failed with; those who want `each` find it among the values.
        """
        missing = [key for key in keys if key not in self._known] if self._known else keys
        return PendingValues(keys, self._known, self._trips_of(missing) if missing else (), each)

    def forget(self, key: K) -> None:
        """What has been answered once is asked again."""
        self._known.pop(key, None)
        self.clear(key)

    def _trips_of(self, keys: Sequence[K]) -> set[Trip]:
        """Those under way that carry some of the keys, and the next one for the others."""
        under_way = self._trips
        carrying = {under_way[key] for key in keys if key in under_way} if under_way else set()
        if new := [key for key in keys if key not in under_way] if under_way else keys:
            trip = under_way[self._boarding[0]] if self._boarding else asyncio.ensure_future(self._travel())
            boarding = dict.fromkeys(new, trip)
            under_way.update(boarding)
            self._boarding += boarding
            carrying.add(trip)
        return carrying

    async def _travel(self) -> Mapping[K, Exception]:
        keys, self._boarding = self._boarding, []
        try:
            answers = dict(zip(keys, await self._fetch(keys), strict=True))
        except Exception as error:  # noqa: BLE001 - whoever asked raises it
            return dict.fromkeys(keys, error)
        finally:
            for key in keys:
                del self._trips[key]
        failed = {key: answer for key, answer in answers.items() if isinstance(answer, Exception)}
        for key in failed:
            del answers[key]
        self._known.update(answers)  # type: ignore[arg-type]
        return failed
