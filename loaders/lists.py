"""Reads newest-first lists through the cache. One round trip reads all cached lists; items that are older than the
cached part of a list are then read from Postgres.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from loaders.loader import all_of, tried
from models.counters import EntityRef
from observability import metrics
from state import State
from store.cache import lists
from store.cache.lists import LIFE_MS, Item
from store.cache.values import Cache
from store.postgres.client import Postgres, PostgresDown
from store.redis.client import RedisDown

_LOCAL = metrics.CACHE_READS.labels("lists", "local")
_PAGES_MORE = 3
"""The number of pages that are added to a cached list when a reader pages past its end."""


class ListPage(NamedTuple):
    """A page to read. `of` is the owner of the list, such as the user whose followers are listed. `before` is the last
    item before the page (None for the first page), and `most` the maximum number of items.
    """

    of: EntityRef
    before: Item | None
    most: int
    partial: bool = False
    """Whether the cached part of the list is enough, even if it has fewer items than `most`."""


@dataclass(frozen=True)
class ListKind:
    """A kind of list, such as the followers of a user. For the owner of a list, `key` returns the cache key, `cap`
    returns the maximum number of cached items, and `truth` reads a page of items from Postgres. A cached list expires
    after `life_ms` milliseconds.
    """

    key: Callable[[EntityRef], str]
    cap: Callable[[State, EntityRef], int]
    truth: Callable[[Postgres, EntityRef, Item | None, int], Awaitable[list[Item]]]
    fills: int | None = None
    """The number of items to cache when the list is first read. Reading further pages adds to the cached list. None
    means as many as `cap`.
    """
    life_ms: int = LIFE_MS


async def read(state: State, kind: ListKind, pages: Sequence[ListPage]) -> list[list[Item]]:
    """Returns the items of each page, newest first. Raises PostgresDown if a page needs Postgres and Postgres
    is down.
    """
    return all_of(await read_each(state, kind, pages))


async def read_each(
    state: State, kind: ListKind, pages: Sequence[ListPage], *, local: bool = False
) -> list[list[Item] | PostgresDown]:
    """Returns the items of each page, newest first. PostgresDown is in the place of a page that neither the cache nor
    Postgres can answer.

    With `local`, first pages may come from the local cache of this process.
    """
    held = await (_from_local if local else _cached)(state.cache, pages, [kind.key(page.of) for page in pages])
    answers: list[Any] = [
        page.items if page and (page.complete or wanted.partial) else None
        for wanted, page in zip(pages, held, strict=True)
    ]
    if rest := [at for at, answer in enumerate(answers) if answer is None]:
        read = await asyncio.gather(*[tried(_page(state, kind, pages[at], held[at])) for at in rest])
        for at, answer in zip(rest, read, strict=True):
            answers[at] = answer
    return answers


async def _from_local(cache: Cache, pages: Sequence[ListPage], names: Sequence[str]) -> list[lists.Page | None]:
    """Reads first pages from the local cache if it has them, and all other pages from Redis. Returns None for a page
    that is not cached. Keeps local copies of first pages that are read often.
    """
    now = cache.local.clock()
    copies = cache.local.find([name for name, page in zip(names, pages, strict=True) if page.before is None], now)
    held = [_first(copies[name], page) if name in copies else None for name, page in zip(names, pages, strict=True)]
    far = [at for at, page in enumerate(held) if page is None]
    _LOCAL.inc(len(pages) - len(far))
    if far:
        read = await _cached(cache, [pages[at] for at in far], [names[at] for at in far])
        for at, page in zip(far, read, strict=True):
            held[at] = page
        whole = ((at, page) for at in far if (page := held[at]) and page.complete and pages[at].before is None)
        cache.local.keep(((names[at], (page, pages[at].most)) for at, page in whole), now)
    return held


def _first(copy: tuple[lists.Page, int], wanted: ListPage) -> lists.Page | None:
    """Returns the wanted page from the local copy of a first page. Returns None if the wanted page is not the first
    one, or if the copy may be too short.
    """
    page, most = copy
    if wanted.before or len(page.items) == most < wanted.most:
        return None
    return lists.Page(page.items[: wanted.most], page.floor, complete=True)


async def _cached(cache: Cache, pages: Sequence[ListPage], names: Sequence[str]) -> list[lists.Page | None]:
    try:
        before, counts = [page.before for page in pages], [page.most for page in pages]
        return await lists.read(cache.redis, names, before, counts, partly=True)
    except RedisDown:
        return [None] * len(pages)


async def _page(state: State, kind: ListKind, wanted: ListPage, cached: lists.Page | None) -> list[Item]:
    """Reads a page of which the cached list contains only a part, or nothing."""
    if cached is None and wanted.before is None:
        return (await _fill(state, kind, wanted))[: wanted.most]
    if kind.fills and cached and (wanted.before is None or wanted.before.score > cached.floor):
        below = await _extend(state, kind, wanted, cached.floor)
        return (cached.items + below)[: wanted.most]
    return await kind.truth(state.postgres, wanted.of, wanted.before, wanted.most)


async def _fill(state: State, kind: ListKind, wanted: ListPage) -> list[Item]:
    """Returns the newest items from Postgres, which may be more than the page needs. Caches them, unless the list
    changed during the read. If another process is filling the cache, or Redis is down, reads only the items of the
    page.
    """
    key, count = kind.key(wanted.of), kind.fills or kind.cap(state, wanted.of)
    token = await state.cache.lease_of(key)
    newest = await kind.truth(state.postgres, wanted.of, None, max(count + 1, wanted.most) if token else wanted.most)
    if token:
        with suppress(RedisDown):  # the answer is known; only the next reader must query again
            await lists.fill(state.cache, key, newest, token=token, cap=count, life_ms=kind.life_ms)
    return newest


async def _extend(state: State, kind: ListKind, wanted: ListPage, floor: int) -> list[Item]:
    """Reads items that are older than the moment `floor`, at which the cached part ends, from Postgres: enough for a
    few pages. Adds them to the cached list and returns them.
    """
    key, cap = kind.key(wanted.of), kind.cap(state, wanted.of)
    count = max(wanted.most, min(_PAGES_MORE * wanted.most, cap))
    token = await state.cache.lease_of(key)
    below = await kind.truth(state.postgres, wanted.of, Item(floor + 1, 0), count)
    if token:
        with suppress(RedisDown):
            await lists.extend(
                state.cache,
                key,
                below,
                floor=floor,
                whole=len(below) < count,
                token=token,
                cap=cap,
                life_ms=kind.life_ms,
            )
    return below
