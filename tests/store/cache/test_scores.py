"""Cached lists by score: during fills, extensions and changes they are correct above their floor."""

import random
from collections.abc import AsyncIterator, Callable, Sequence

import pytest
import pytest_asyncio

from settings import Settings
from store.cache import lists
from store.cache.lists import Item, Page
from store.cache.local import LocalCache
from store.cache.values import Cache
from store.redis import client as redis

KEY, OTHER, CAP, MEMBERS = "{hot:0}", "{hot:7}", 10, 40
NOW_MS = 1_800_000_000_000


class Truth(dict[int, int]):
    """The scores of all members."""

    def hottest(self, count: int | None = None, below: Item | None = None) -> list[Item]:
        items = sorted((Item(score, member) for member, score in self.items()), reverse=True)
        return [item for item in items if below is None or item < below][:count]


@pytest_asyncio.fixture
async def cache(make_settings: Callable[..., Settings]) -> AsyncIterator[Cache]:
    settings = make_settings()
    client = redis.connect(settings.redis_url, settings)
    yield Cache(client, lambda: NOW_MS, LocalCache(0, 1))
    await client.close()


async def read(cache: Cache, before: Item | None = None) -> Page | None:
    (page,) = await lists.read(cache.redis, [KEY], [before], [MEMBERS])
    return page


async def fill(cache: Cache, items: Sequence[Item], token: str) -> None:
    await lists.fill(cache, KEY, items, token=token, cap=CAP, life_ms=60_000)


async def filled(cache: Cache, *items: Item) -> None:
    token = await cache.lease_of(KEY)
    assert token
    await fill(cache, items, token)


async def publish(cache: Cache, *items: Item) -> None:
    await lists.publish_scores(cache, [(KEY, items), (OTHER, items)], cap=CAP)


async def leave_at_floor(cache: Cache, truth: Truth, token: str | None, floor: int) -> None:
    below = truth.hottest(5, Item(floor + 1, 0))
    if token and below:
        await lists.extend(cache, KEY, below, floor=floor, whole=len(below) < 5, token=token, cap=CAP)


@pytest.mark.parametrize("seed", range(12))
async def test_a_list_is_correct_above_its_floor(cache: Cache, seed: int) -> None:
    chance, truth = random.Random(seed), Truth()
    filling: tuple[str, list[Item]] | None = None
    for _ in range(300):
        match chance.choice(["change", "change", "change", "begin", "end", "extend"]):
            case "change":
                member, score = chance.randint(100, 99 + MEMBERS), chance.choice([0, *range(1, 10_000, 7)])
                if score:
                    truth[member] = score
                else:
                    truth.pop(member, None)
                await publish(cache, Item(score, member))
            case "begin":
                token = await cache.lease_of(KEY)
                filling = (token, truth.hottest(CAP + 1)) if token else filling
            case "end" if filling:
                await fill(cache, filling[1], filling[0])
                filling = None
            case "extend" if page := await read(cache):
                await leave_at_floor(cache, truth, await cache.lease_of(KEY), page.floor)
        if page := await read(cache):
            assert page.items == [item for item in truth.hottest() if item.score > page.floor]
            assert await cache.redis("ZCARD", KEY) <= CAP * 1.1 + 1


async def test_members_enter_and_leave_a_list_when_their_score_crosses_the_floor(cache: Cache) -> None:
    items = [Item(score, 100 - score) for score in range(30, 19, -1)]
    await filled(cache, *items)
    page = await read(cache)
    assert page
    assert (page.floor, len(page.items)) == (20, 10)

    await publish(cache, Item(5, 70), Item(25, 99), Item(20, 98))

    page = await read(cache)
    assert page
    assert [item.member for item in page.items] == [71, 72, 73, 74, 99, 75, 76, 77, 78, 79]


async def test_a_write_neither_creates_a_cold_list_nor_prolongs_a_life(cache: Cache) -> None:
    await publish(cache, Item(5, 70))
    assert await read(cache) is None

    await filled(cache, Item(3, 1))
    await cache.redis("PEXPIRE", KEY, 5000, write=True)
    await publish(cache, Item(5, 70))
    assert 0 < await cache.redis("PTTL", KEY) <= 5000
    assert await cache.redis("EXISTS", OTHER) == 0
