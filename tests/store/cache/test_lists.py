"""Cached lists: whatever order publishers come in, a list says the truth of everything above its floor.

A small model of truth (who joined or left last, and when) stands beside a real list in Valkey.
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
    """Every change there was, each with its own moment: positive for those who joined, negative for those who left."""

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
        """Who is in, newest first, after the first `among` changes."""
        last = {change.member: change for change in self.changes[:among]}
        return sorted((change for change in last.values() if change.moment > 0), reverse=True)[:count]


def above(floor: int, items: Sequence[Item]) -> list[Item]:
    return [item for item in items if item.moment > floor]


@pytest.mark.parametrize("seed", range(20))
async def test_publishing_in_any_order_and_repetition_converges_to_the_truth(cache: Cache, seed: int) -> None:
    chance = random.Random(seed)
    truth = Truth.random(chance, count=chance.randint(1, 60), members=chance.choice((3, 8, 30)))
    filled_after = chance.randint(0, len(truth.changes))
    await fill(cache, truth.newest(CAP + 1, among=filled_after))
    replayed_from = chance.randint(0, filled_after)  # whoever repeats a change repeats what came after it too
    again = truth.changes[replayed_from:]
    deliveries = again + (chance.choices(again, k=20) if again else [])
    chance.shuffle(deliveries)

    while deliveries:
        size_of_batch = chance.randint(1, 6)
        await publish(cache, *deliveries[:size_of_batch])
        del deliveries[:size_of_batch]
        assert await size(cache) <= 2 * CAP + 2

    page = await read(cache)
    if page is None:  # too many had left: it is read from truth again
        return
    assert page.items == above(page.floor, truth.newest())


@pytest.mark.parametrize("seed", range(8))
async def test_a_list_that_is_published_to_in_order_is_true_after_every_change(cache: Cache, seed: int) -> None:
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


async def test_a_list_keeps_its_newest_and_says_where_they_end(cache: Cache) -> None:
    joined = [Item(NOW + i, 100 + i) for i in range(20)]
    await fill(cache, [])

    for item in joined:
        await publish(cache, item)

    page = await warm(cache)
    assert CAP <= len(page.items) <= CAP + 1
    assert page.items == joined[::-1][: len(page.items)]
    assert page.floor == joined[-1 - len(page.items)].moment
    assert not page.complete
    assert (await warm(cache, count=3)).complete


async def test_a_list_of_all_there_are_is_complete(cache: Cache) -> None:
    few = [Item(NOW + 2, 2), Item(NOW + 1, 1)]
    await fill(cache, few)

    assert await warm(cache) == Page(few, 0, complete=True)


async def test_a_full_fill_does_not_claim_to_be_everything(cache: Cache) -> None:
    newest = [Item(NOW - i, i + 1) for i in range(CAP + 1)]
    await fill(cache, newest)

    page = await warm(cache)

    assert page.items == newest[:-1]
    assert page.floor == newest[-1].moment
    assert not page.complete


async def test_a_stalled_older_change_never_resurrects_nor_removes(cache: Cache) -> None:
    await fill(cache, [])

    await publish(cache, Item(-(NOW + 5), 1), Item(NOW + 6, 2))
    await publish(cache, Item(NOW + 4, 1), Item(-(NOW + 5), 2))

    assert (await warm(cache)).items == [Item(NOW + 6, 2)]


async def test_what_is_below_the_floor_is_not_let_in_again(cache: Cache) -> None:
    await fill(cache, [Item(NOW + 10 - i, i + 1) for i in range(CAP + 1)])
    before = await warm(cache)

    await publish(cache, Item(before.floor, 77), Item(before.floor - 1, 78), Item(-(before.floor - 1), 79))

    assert await warm(cache) == before


@pytest.mark.parametrize("moment", [NOW, -NOW])
async def test_a_cold_list_is_not_born_from_a_write(cache: Cache, moment: int) -> None:
    await publish(cache, Item(moment, 1))

    assert await read(cache) is None
    assert await cache.redis("EXISTS", KEY) == 0


async def test_a_fill_that_a_publication_has_overtaken_installs_nothing(cache: Cache) -> None:
    held = await cache.acquire([KEY])
    await publish(cache, Item(-NOW, 1))

    await lists.fill(cache, KEY, [Item(NOW - 1, 1)], token=held.token, cap=CAP)

    assert await read(cache) is None


async def test_a_fill_without_the_lease_installs_nothing(cache: Cache) -> None:
    await cache.acquire([KEY])

    await lists.fill(cache, KEY, [Item(NOW, 1)], token="somebody else's", cap=CAP)

    assert await read(cache) is None


async def test_those_who_left_are_remembered_in_bounded_number(cache: Cache) -> None:
    await fill(cache, [])

    for i in range(3 * CAP):
        await publish(cache, Item(-(NOW + i), i + 1))
        assert await size(cache) <= CAP + 1

    page = await read(cache)
    assert page is None or page.items == []


async def test_lists_live_on_as_they_are_written_to_and_leave_nothing_behind(cache: Cache) -> None:
    await fill(cache, [Item(NOW, 1)])
    assert 0 < await cache.redis("PTTL", KEY) <= lists.LIFE_MS
    await cache.redis("PEXPIRE", KEY, 1000, write=True)

    await publish(cache, Item(NOW + 1, 2))

    assert 1000 < await cache.redis("PTTL", KEY) <= lists.LIFE_MS
    assert await cache.redis("EXISTS", lease(KEY)) == 0


async def test_a_list_that_has_long_to_live_is_not_given_a_longer_life_with_every_change(cache: Cache) -> None:
    await fill(cache, [Item(NOW, 1)])
    left = int(lists.LIFE_MS * 0.95)
    await cache.redis("PEXPIRE", KEY, left, write=True)

    await publish(cache, Item(NOW + 1, 2))

    assert 0 < await cache.redis("PTTL", KEY) <= left


async def test_many_who_joined_in_one_moment_are_paged_in_order_of_their_ids(cache: Cache) -> None:
    await fill(cache, [])
    joined = sorted(
        [Item(NOW, member) for member in range(101, 131)] + [Item(NOW - 1, 999), Item(NOW + 1, 998)], reverse=True
    )
    await lists.publish(cache, [(KEY, joined)], cap=100)
    found: list[Item] = []

    while page := (await warm(cache, 4, found[-1] if found else None)).items:
        found += page

    assert found == joined


async def test_more_in_one_moment_than_a_page_can_tell_apart_is_for_truth_to_tell(cache: Cache) -> None:
    await fill(cache, [])
    joined = [Item(NOW, member) for member in range(101, 301)]
    await lists.publish(cache, [(KEY, joined)], cap=1000)

    assert await read(cache, 10, before=Item(NOW, 120)) is None
    assert (await warm(cache, 10, before=Item(NOW, 290))).items == joined[188:178:-1]


async def test_several_lists_are_published_and_read_together(cache: Cache) -> None:
    keys = [f"{{likers:102:{i}}}" for i in range(5)]
    for key in keys[:3]:
        held = await cache.acquire([key])
        await lists.fill(cache, key, [], token=held.token, cap=CAP)
    changes = [(key, [Item(NOW + n, n + 1) for n in range(i + 1)]) for i, key in enumerate(keys)]

    await lists.publish(cache, changes, cap=CAP)

    pages = await lists.read(cache.redis, keys, [None] * 5, [10] * 5)
    assert [page and len(page.items) for page in pages] == [1, 2, 3, None, None]
