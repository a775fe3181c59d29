"""Extending cached lists downwards with rows: lists stay correct and bounded, and a cold list stays cold."""

from collections.abc import Sequence

import pytest

from store.cache import lists
from store.cache.lists import Item, Page
from store.cache.values import Cache
from store.keys import lease
from tests.store.cache.cached_lists import CAP, KEY, NOW, fill, publish, read, size, warm
from tests.support.stores import standalone

OLD = [Item(NOW - i, 200 + i) for i in range(20)]
"""The rows, all older than the first moment of a test."""


async def extend(cache: Cache, below: Sequence[Item], floor: int, whole: bool = False, cap: int = 2 * CAP) -> None:
    """Extends a list as a reader does that has read the rows below the floor."""
    held = await cache.acquire([KEY])
    assert held.keys
    await lists.extend(cache, KEY, below, floor=floor, whole=whole, token=held.token, cap=cap)


async def test_an_extended_list_has_a_lower_floor(cache: Cache) -> None:
    await fill(cache, OLD[: CAP + 1])
    before = await warm(cache)

    await extend(cache, OLD[CAP : CAP + 3], before.floor)

    page = await warm(cache)
    assert page.items == OLD[: CAP + 2]  # other items may have the same moment as the last one
    assert page.floor == OLD[CAP + 2].score
    assert not page.complete
    assert await cache.redis("EXISTS", lease(KEY)) == 0


@standalone
async def test_a_list_extended_with_all_remaining_rows_is_complete(cache: Cache) -> None:
    await fill(cache, OLD[: CAP + 1])
    before = await warm(cache)

    await extend(cache, OLD[CAP : CAP + 3], before.floor, whole=True)

    assert await warm(cache) == Page(OLD[: CAP + 3], 0, complete=True)


@standalone
async def test_a_list_without_rows_below_its_floor_becomes_complete(cache: Cache) -> None:
    await fill(cache, OLD[: CAP + 1])
    before = await warm(cache)

    await extend(cache, [], before.floor, whole=True)

    page = await warm(cache)
    assert page.complete
    assert page.floor == 0


@standalone
@pytest.mark.parametrize(("room", "extended"), [(0, False), (3, False), (4, True)])
async def test_a_list_is_not_extended_beyond_its_cap(cache: Cache, room: int, extended: bool) -> None:
    await fill(cache, OLD[: CAP + 1])
    before = await warm(cache)

    await extend(cache, OLD[CAP : CAP + 4], before.floor, cap=CAP + room)

    assert (await warm(cache) != before) == extended
    assert await size(cache) <= CAP + room + 1
    assert await cache.redis("EXISTS", lease(KEY)) == 0


@standalone
async def test_a_repeatedly_extended_list_stays_correct_and_within_its_cap(cache: Cache) -> None:
    await fill(cache, OLD[: CAP + 1])

    for _ in range(10):
        page = await warm(cache)
        at = len(page.items)
        await extend(cache, OLD[at : at + 3], page.floor, whole=at + 3 > len(OLD), cap=15)
        assert await size(cache) <= 15 + 1
        page = await warm(cache)
        assert page.items == OLD[: len(page.items)]

    assert len((await warm(cache)).items) > 15 - 3 - 1


async def test_an_extension_that_is_older_than_a_publication_changes_nothing(cache: Cache) -> None:
    await fill(cache, OLD[: CAP + 1])
    floor = (await warm(cache)).floor
    held = await cache.acquire([KEY])
    await publish(cache, Item(-(NOW + 1), OLD[CAP].member))
    before = await warm(cache)

    await lists.extend(cache, KEY, OLD[CAP : CAP + 3], floor=floor, whole=False, token=held.token, cap=2 * CAP)

    assert await warm(cache) == before


@standalone
async def test_an_extension_from_another_floor_changes_nothing(cache: Cache) -> None:
    await fill(cache, OLD[: CAP + 1])
    before = await warm(cache)

    for floor in (before.floor + 1, before.floor - 1, 0):
        await extend(cache, OLD[CAP : CAP + 3], floor)

    assert await warm(cache) == before


@standalone
async def test_an_extension_does_not_create_a_list(cache: Cache) -> None:
    await extend(cache, OLD[:3], OLD[0].score)
    await extend(cache, OLD[:3], 0, whole=True)

    assert await read(cache) is None
    assert await cache.redis("EXISTS", KEY) == 0


@standalone
async def test_a_member_removed_after_an_extension_is_not_in_the_list(cache: Cache) -> None:
    await fill(cache, OLD[: CAP + 1])
    await extend(cache, OLD[CAP : CAP + 3], (await warm(cache)).floor)

    await lists.publish(cache, [(KEY, [Item(-(NOW + 1), OLD[CAP].member)])], cap=2 * CAP)

    assert (await warm(cache)).items == [*OLD[:CAP], OLD[CAP + 1]]


@standalone
async def test_an_extension_prolongs_the_life_of_a_list(cache: Cache) -> None:
    await fill(cache, OLD[: CAP + 1])
    await cache.redis("PEXPIRE", KEY, 1000, write=True)

    await extend(cache, OLD[CAP : CAP + 3], (await warm(cache)).floor)

    assert 1000 < await cache.redis("PTTL", KEY) <= lists.LIFE_MS
