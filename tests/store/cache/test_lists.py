"""Cached lists: in whatever order changes are published, a list is correct above its floor.

The tests compare a list in Valkey with a small model of the rows.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from store.cache import lists
from store.cache.lists import Item, Page
from store.cache.values import Cache
from store.keys import lease
from tests.store.cache.cached_lists import CAP, KEY, NOW, fill, publish, read, size, warm


@dataclass
class Truth:
    """All changes, each with its own moment: positive for members who joined, negative for members who left."""

    changes: list[Item] = field(default_factory=list)

    @classmethod
    def random(cls, chance: random.Random, count: int, members: int) -> "Truth":
        joined: set[int] = set()
        truth = cls()
        for i in range(count):
            member = chance.randint(1, members)
            truth.changes.append(Item((NOW + i) * (-1 if member in joined else 1), member))
            joined ^= {member}
        return truth

    def newest(self, count: int | None = None, among: int | None = None) -> list[Item]:
        """Returns the members after the first `among` changes, newest first."""
        last = {change.member: change for change in self.changes[:among]}
        return sorted((change for change in last.values() if change.score > 0), reverse=True)[:count]


def above(floor: int, items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.score > floor]


@pytest.mark.parametrize("seed", range(20))
async def test_changes_published_in_any_order_and_repeatedly_lead_to_the_rows(cache: Cache, seed: int) -> None:
    chance = random.Random(seed)
    truth = Truth.random(chance, count=chance.randint(1, 60), members=chance.choice((3, 8, 30)))
    filled_after = chance.randint(0, len(truth.changes))
    await fill(cache, truth.newest(CAP + 1, among=filled_after))
    replayed_from = chance.randint(0, filled_after)  # a publisher that repeats a change repeats all later changes too
    again = truth.changes[replayed_from:]
    deliveries = again + (chance.choices(again, k=20) if again else [])
    chance.shuffle(deliveries)

    while deliveries:
        size_of_batch = chance.randint(1, 6)
        await publish(cache, *deliveries[:size_of_batch])
        del deliveries[:size_of_batch]
        assert await size(cache) <= 2 * CAP + 2

    page = await read(cache)
    if page is None:  # too many members had left, so the list must be read from rows
        return
    assert page.items == above(page.floor, truth.newest())


@pytest.mark.parametrize("seed", range(8))
async def test_a_list_is_correct_after_every_change_published_in_order(cache: Cache, seed: int) -> None:
    chance = random.Random(seed)
    truth = Truth.random(chance, count=60, members=chance.choice((4, 12)))
    await fill(cache, [])

    for done, change in enumerate(truth.changes, 1):
        await publish(cache, change)
        page = await read(cache)
        if page is None:
            await fill(cache, truth.newest(CAP + 1, among=done))
            page = await warm(cache)
        assert page.items == above(page.floor, truth.newest(among=done))


async def test_a_list_keeps_its_newest_members_and_its_floor(cache: Cache) -> None:
    joined = [Item(NOW + i, 100 + i) for i in range(20)]
    await fill(cache, [])

    for item in joined:
        await publish(cache, item)

    page = await warm(cache)
    assert CAP <= len(page.items) <= CAP + 1
    assert page.items == joined[::-1][: len(page.items)]
    assert page.floor == joined[-1 - len(page.items)].score
    assert not page.complete
    assert (await warm(cache, count=3)).complete


async def test_a_list_with_all_members_is_complete(cache: Cache) -> None:
    few = [Item(NOW + 2, 2), Item(NOW + 1, 1)]
    await fill(cache, few)

    assert await warm(cache) == Page(few, 0, complete=True)


async def test_a_fill_up_to_the_cap_does_not_make_a_list_complete(cache: Cache) -> None:
    newest = [Item(NOW - i, i + 1) for i in range(CAP + 1)]
    await fill(cache, newest)

    page = await warm(cache)

    assert page.items == newest[:-1]
    assert page.floor == newest[-1].score
    assert not page.complete


async def test_an_older_change_that_arrives_late_neither_adds_nor_removes_a_member(cache: Cache) -> None:
    await fill(cache, [])

    await publish(cache, Item(-(NOW + 5), 1), Item(NOW + 6, 2))
    await publish(cache, Item(NOW + 4, 1), Item(-(NOW + 5), 2))

    assert (await warm(cache)).items == [Item(NOW + 6, 2)]


async def test_a_member_below_the_floor_is_not_added(cache: Cache) -> None:
    await fill(cache, [Item(NOW + 10 - i, i + 1) for i in range(CAP + 1)])
    before = await warm(cache)

    await publish(cache, Item(before.floor, 77), Item(before.floor - 1, 78), Item(-(before.floor - 1), 79))

    assert await warm(cache) == before


@pytest.mark.parametrize("moment", [NOW, -NOW])
async def test_a_write_does_not_create_a_cold_list(cache: Cache, moment: int) -> None:
    await publish(cache, Item(moment, 1))

    assert await read(cache) is None
    assert await cache.redis("EXISTS", KEY) == 0


async def test_a_fill_that_is_older_than_a_publication_is_not_stored(cache: Cache) -> None:
    held = await cache.acquire([KEY])
    await publish(cache, Item(-NOW, 1))

    await lists.fill(cache, KEY, [Item(NOW - 1, 1)], token=held.token, cap=CAP)

    assert await read(cache) is None


async def test_a_fill_without_the_lease_is_not_stored(cache: Cache) -> None:
    await cache.acquire([KEY])

    await lists.fill(cache, KEY, [Item(NOW, 1)], token="another lease", cap=CAP)

    assert await read(cache) is None


async def test_removed_members_are_kept_in_a_bounded_number(cache: Cache) -> None:
    await fill(cache, [])

    for i in range(3 * CAP):
        await publish(cache, Item(-(NOW + i), i + 1))
        assert await size(cache) <= CAP + 1

    page = await read(cache)
    assert page is None or page.items == []


async def test_writes_prolong_the_life_of_a_list_and_expired_lists_leave_no_keys(cache: Cache) -> None:
    await fill(cache, [Item(NOW, 1)])
    assert 0 < await cache.redis("PTTL", KEY) <= lists.LIFE_MS
    await cache.redis("PEXPIRE", KEY, 1000, write=True)

    await publish(cache, Item(NOW + 1, 2))

    assert 1000 < await cache.redis("PTTL", KEY) <= lists.LIFE_MS
    assert await cache.redis("EXISTS", lease(KEY)) == 0


async def test_a_change_does_not_prolong_a_life_that_is_long_enough(cache: Cache) -> None:
    await fill(cache, [Item(NOW, 1)])
    left = int(lists.LIFE_MS * 0.95)
    await cache.redis("PEXPIRE", KEY, left, write=True)

    await publish(cache, Item(NOW + 1, 2))

    assert 0 < await cache.redis("PTTL", KEY) <= left


async def test_members_with_one_moment_are_paged_in_order_of_their_ids(cache: Cache) -> None:
    await fill(cache, [])
    joined = sorted(
        [Item(NOW, member) for member in range(101, 131)] + [Item(NOW - 1, 999), Item(NOW + 1, 998)], reverse=True
    )
    await lists.publish(cache, [(KEY, joined)], cap=100)
    found: list[Item] = []

    while page := (await warm(cache, 4, found[-1] if found else None)).items:
        found += page

    assert found == joined


async def test_more_members_with_one_moment_than_fit_a_page_are_read_from_rows(cache: Cache) -> None:
    await fill(cache, [])
    joined = [Item(NOW, member) for member in range(101, 301)]
    await lists.publish(cache, [(KEY, joined)], cap=1000)

    assert await read(cache, 10, before=Item(NOW, 120)) is None
    assert await read(cache, 10, before=Item(NOW, 290)) is None  # a longer id could come after those that are read


@pytest.mark.parametrize("count", [1, 2, 3, 7])
async def test_members_with_one_moment_and_ids_of_different_lengths_are_in_order_of_numbers(
    cache: Cache, count: int
) -> None:
    await fill(cache, [])
    joined = [Item(NOW, member) for member in (7, 70, 9, 100, 2000, 65, 1)]
    await lists.publish(cache, [(KEY, joined)], cap=100)
    found: list[Item] = []

    while page := (await warm(cache, count, found[-1] if found else None)).items:
        found += page

    assert found == sorted(joined, reverse=True)


async def test_several_lists_are_published_and_read_together(cache: Cache) -> None:
    keys = [f"{{likers:102:{i}}}" for i in range(5)]
    for key in keys[:3]:
        held = await cache.acquire([key])
        await lists.fill(cache, key, [], token=held.token, cap=CAP)
    changes = [(key, [Item(NOW + n, n + 1) for n in range(i + 1)]) for i, key in enumerate(keys)]

    await lists.publish(cache, changes, cap=CAP)

    pages = await lists.read(cache.redis, keys, [None] * 5, [10] * 5)
    assert [page and len(page.items) for page in pages] == [1, 2, 3, None, None]


@pytest.mark.parametrize("below", [0, 10, 200])
async def test_a_page_that_reaches_the_floor_is_returned_however_many_members_lie_below(
    cache: Cache, below: int
) -> None:
    """Own sets of users keep some members below their floor."""
    scores = [*range(1, below + 1), 1000, *range(1001, 1006)]
    words = [word for at, score in enumerate(scores) for word in (score, 0 if score == 1000 else at + 1)]
    await cache.redis("ZADD", KEY, *words, write=True)

    (page,) = await lists.read(cache.redis, [KEY], [None], [20])

    assert page
    assert ([item.score for item in page.items], page.floor, page.complete) == ([*range(1005, 1000, -1)], 1000, False)
