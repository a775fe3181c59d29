"""A request's loader fetches every key once, however many callers ask for the key."""

import asyncio

import pytest
from aiodataloader import DataLoader

from loaders.loader import Loader


class SlowSource:
    """A source that returns the double of each key once `go` is set. `trips` records the keys of every fetch."""

    def __init__(self) -> None:
        self.trips: list[list[int]] = []
        self.go = asyncio.Event()
        self.error: Exception | None = None

    async def fetch(self, keys: list[int]) -> list[int]:
        self.trips.append(keys)
        await self.go.wait()
        if self.error:
            raise self.error
        return [2 * key for key in keys]


async def test_keys_of_one_event_loop_tick_are_fetched_in_one_trip() -> None:
    source = SlowSource()
    source.go.set()
    loader = Loader("values", source.fetch)

    both = await asyncio.gather(loader.ask([1, 2, 1]), loader.ask([2, 3]))

    assert list(both) == [[2, 4, 2], [4, 6]]
    assert await loader.load(3) == 6
    assert source.trips == [[1, 2, 3]]


async def test_a_key_that_is_being_fetched_is_not_fetched_again() -> None:
    source = SlowSource()
    loader = Loader("values", source.fetch)
    first = asyncio.ensure_future(loader.ask([1, 2]))
    while not source.trips:
        await asyncio.sleep(0)

    second = asyncio.ensure_future(loader.ask([2, 3]))
    third = asyncio.ensure_future(loader.load(1))
    while len(source.trips) < 2:
        await asyncio.sleep(0)
    source.go.set()

    assert (await first, await second, await third) == ([2, 4], [4, 6], 2)
    assert source.trips == [[1, 2], [3]]


async def test_a_failed_key_fails_only_the_callers_of_this_key() -> None:
    async def halves(keys: list[int]) -> list[int | ValueError]:
        return [ValueError(key) if key % 2 else key // 2 for key in keys]

    loader = Loader("values", halves)
    even, odd, both = loader.load(2), loader.load(1), loader.ask([2, 1])
    each = loader.ask([1, 2], each=True)
    results = await asyncio.gather(even, odd, both, return_exceptions=True)

    assert results[0] == 1
    assert [type(one) for one in results[1:]] == [ValueError, ValueError]
    failed, known = await each
    assert (type(failed), known) == (ValueError, 1)
    assert await loader.ask([2]) == [1]


async def test_a_failed_trip_fails_its_callers_but_no_later_caller() -> None:
    source = SlowSource()
    loader = Loader("values", source.fetch)
    waiting = [asyncio.ensure_future(loader.ask([1, key])) for key in (2, 3)]
    while not source.trips:
        await asyncio.sleep(0)
    source.error = ValueError("no")
    source.go.set()
    assert [type(answer) for answer in await asyncio.gather(*waiting, return_exceptions=True)] == [ValueError] * 2

    source.error = None

    assert await loader.ask([1]) == [2]


async def test_a_cancelled_caller_does_not_cancel_the_trip_of_other_callers() -> None:
    source = SlowSource()
    loader = Loader("values", source.fetch)
    patient, impatient = (asyncio.ensure_future(loader.ask([1])) for _ in range(2))
    while not source.trips:
        await asyncio.sleep(0)

    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    source.go.set()

    assert await patient == [2]
    assert source.trips == [[1]]


async def test_single_keys_are_loaded_through_aiodataloader(monkeypatch: pytest.MonkeyPatch) -> None:
    source = SlowSource()
    source.go.set()
    loader = Loader("values", source.fetch)
    loaded: list[object] = []
    load = DataLoader.load

    def recorded(self: DataLoader[int, int], key: int) -> "asyncio.Future[int]":
        loaded.append(key)
        return load(self, key)

    monkeypatch.setattr(DataLoader, "load", recorded)

    assert list(await asyncio.gather(loader.load(1), loader.load(2), loader.load(1))) == [2, 4, 2]
    assert loaded == [1, 2, 1]
    assert source.trips == [[1, 2]]
