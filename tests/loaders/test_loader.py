"""A request's loader: every key is asked for once, however and whenever it is wanted."""

import asyncio

import pytest

from loaders.loader import Loader


class Slow:
    """Answers a key with its double, when it is told to; records every trip."""

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


async def test_what_is_wanted_in_one_tick_is_one_trip() -> None:
    slow = Slow()
    slow.go.set()
    loader = Loader(slow.fetch)

    both = await asyncio.gather(loader.load_many([1, 2, 1]), loader.load_many([2, 3]))

    assert list(both) == [[2, 4, 2], [4, 6]]
    assert await loader.load(3) == 6
    assert slow.trips == [[1, 2, 3]]


async def test_what_is_under_way_is_not_asked_for_again() -> None:
    slow = Slow()
    loader = Loader(slow.fetch)
    first = asyncio.create_task(loader.load_many([1, 2]))
    while not slow.trips:
        await asyncio.sleep(0)

    second = asyncio.create_task(loader.load_many([2, 3]))
    third = asyncio.ensure_future(loader.load(1))
    while len(slow.trips) < 2:
        await asyncio.sleep(0)
    slow.go.set()

    assert (await first, await second, await third) == ([2, 4], [4, 6], 2)
    assert slow.trips == [[1, 2], [3]]


async def test_a_key_that_fails_fails_those_alone_who_asked_for_it() -> None:
    async def halves(keys: list[int]) -> list[int | ValueError]:
        return [ValueError(key) if key % 2 else key // 2 for key in keys]

    loader = Loader(halves)
    even, odd, both = loader.load(2), loader.load(1), loader.load_many([2, 1])
    each = loader.ask([1, 2], each=True)
    results = await asyncio.gather(even, odd, both, return_exceptions=True)

    assert results[0] == 1
    assert [type(one) for one in results[1:]] == [ValueError, ValueError]
    failed, known = await each
    assert (type(failed), known) == (ValueError, 1)
    assert await loader.load_many([2]) == [1]


async def test_a_trip_that_fails_fails_all_who_wait_for_it_and_nobody_after() -> None:
    slow = Slow()
    loader = Loader(slow.fetch)
    waiting = [asyncio.create_task(loader.load_many([1, key])) for key in (2, 3)]
    while not slow.trips:
        await asyncio.sleep(0)
    slow.error = ValueError("no")
    slow.go.set()
    assert [type(answer) for answer in await asyncio.gather(*waiting, return_exceptions=True)] == [ValueError] * 2

    slow.error = None

    assert await loader.load_many([1]) == [2]


async def test_somebody_who_gives_up_leaves_the_trip_to_the_others() -> None:
    slow = Slow()
    loader = Loader(slow.fetch)
    patient, impatient = (asyncio.create_task(loader.load_many([1])) for _ in range(2))
    while not slow.trips:
        await asyncio.sleep(0)

    impatient.cancel()
    with pytest.raises(asyncio.CancelledError):
        await impatient
    slow.go.set()

    assert await patient == [2]
    assert slow.trips == [[1]]
