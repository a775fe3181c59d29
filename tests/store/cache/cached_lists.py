"""A cached list as publishers and readers use it."""

from collections.abc import Sequence

from store.cache import lists
from store.cache.lists import Item, Page
from store.cache.values import Cache

KEY, CAP = "{likers:102:7}", 5
NOW = 1_843_200_000_000_000


async def fill(cache: Cache, newest: Sequence[Item]) -> None:
    held = await cache.acquire([KEY])
    assert held.keys
    await lists.fill(cache, KEY, newest, token=held.token, cap=CAP)


async def publish(cache: Cache, *changes: Item) -> None:
    await lists.publish(cache, [(KEY, changes)], cap=CAP)


async def read(cache: Cache, count: int = 100, before: Item | None = None) -> Page | None:
    (page,) = await lists.read(cache.redis, [KEY], [before], [count])
    return page


async def warm(cache: Cache, count: int = 100, before: Item | None = None) -> Page:
    page = await read(cache, count, before)
    assert page is not None
    return page


async def size(cache: Cache) -> int:
    """Returns the number of stored members, removed members and floors."""
    return int(await cache.redis("ZCARD", KEY))
