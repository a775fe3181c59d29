"""Timelines: sources of posts or comments merged, loaded, filtered and refilled, so that a page is never short."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from enum import Enum
from typing import TypeVar

from context import Context
from domain.errors import BadCursor, Unavailable
from loaders import lists, posts
from loaders.lists import ListPage
from loaders.loader import Loader
from models.counters import EntityRef
from resolvers.pages import Connection, Scope, check_first, position
from settings import USERS
from store.cache.lists import Item
from store.content.hot import cached_scores
from store.write_log.journal import moment_of

Row = TypeVar("Row")
Load = Callable[[Sequence[int]], Awaitable[Sequence[Row | None]]]
"""Rows by their ids; None for those that are not to be shown."""
Source = Callable[[Item | None, int], Awaitable[list[Item]]]
"""So many of a list's items older than another, newest first; fewer only where there are no more."""


class TimelineSort(Enum):
    """What posts are ordered by."""

    LATEST = "LATEST"
    HOT = "HOT"


_MOST_ROUNDS, _MOST_AT_ONCE = 30, 400
"""How often a page is refilled, and with how many at most: together more than any cached list holds, which is where
what is left out lies (rows leave it out themselves).
"""


async def page(
    context: Context, scope: str, load: Load[Row], sources: Sequence[Source], first: int, after: str | None
) -> Connection[Row] | BadCursor:
    """The newest of all sources older than the cursor, each once, without those that `load` leaves out."""
    cursors = context.state.cursors
    check_first(first)
    try:
        before, passed = position(cursors, Scope(scope), after)
    except BadCursor as error:
        return error
    items, by_id = await collect(load, sources, before, first + 1)
    more = len(items) > first
    return Connection(cursors, scope, items[:first], passed, by_id, more, after is not None)


async def collect(
    load: Callable[[Sequence[int]], Awaitable[Sequence[Row]]],
    sources: Sequence[Source],
    before: Item | None,
    count: int,
) -> tuple[list[Item], dict[int, Row]]:
    """Skeleton, load, filter; again from where the skeleton ended, and more at once, while there are too few.

    Raises Unavailable rather than give a page that is short.
    """
    kept: list[Item] = []
    by_id: dict[int, Row] = {}
    most = count
    for _ in range(_MOST_ROUNDS):
        skeleton = _merged(await asyncio.gather(*[source(before, most) for source in sources]), most)
        loaded = await load([item.member for item in skeleton]) if skeleton else ()
        for item, row in zip(skeleton, loaded, strict=True):
            if row and item.member not in by_id:
                kept.append(item)
                by_id[item.member] = row
        if len(kept) >= count or len(skeleton) < most:
            return kept[:count], by_id
        before, most = skeleton[-1], min(max(2 * most, _MOST_AT_ONCE // 4), _MOST_AT_ONCE)
    raise Unavailable("Too much was left out of this page.")


def _merged(lists: Sequence[Sequence[Item]], count: int) -> list[Item]:
    """The newest of all lists, each once."""
    return sorted({item for items in lists for item in items}, reverse=True)[:count]


def listed(loader: Loader[ListPage, list[Item]], of: EntityRef) -> Source:
    """What a list has that everybody may see."""
    return lambda before, count: loader.load(ListPage(of, before, count))


def own(context: Context) -> list[Source]:
    """What the viewer has written, whoever else may see it; nothing where nobody is signed in."""
    viewer = context.viewer
    if viewer is None:
        return []
    ref = EntityRef(USERS, viewer.user_id)

    async def written(before: Item | None, count: int) -> list[Item]:
        (items,) = await lists.read(context.state.cache, posts.own(context.state), [ListPage(ref, before, count)])
        return items

    return [written, just_now(context)]


def just_now(context: Context) -> Source:
    """What the viewer has published so lately that nobody else may see it yet."""

    async def published(before: Item | None, count: int) -> list[Item]:
        return newest_of(await _published_just_now(context), before, count)

    return published


def just_now_by_score(context: Context, topic: EntityRef) -> Source:
    """Returns what the viewer has just published, for a list that orders posts by how hot they are.

    A post is here until no request can hold a copy of the list from before the post was in it. Its place is the score
    that the cached list has of it; without one, it is as hot as a post without votes.
    """

    async def published(before: Item | None, count: int) -> list[Item]:
        items = await _published_just_now(context)
        scores = await cached_scores(context.state.cache, topic, [item.member for item in items])
        return newest_of((Item(scores.get(id_, moment), id_) for moment, id_ in items), before, count)

    return published


async def _published_just_now(context: Context) -> list[Item]:
    patches = await context.loaders.patches()
    each = ((post_id, patch) for post_id, some in patches.posts.items() for patch in some)
    return [Item(moment_of(patch.version), post_id) for post_id, patch in each if patch.publishes]


def newest_of(items: Iterable[Item], before: Item | None, count: int) -> list[Item]:
    """A page of items in any order."""
    return sorted((item for item in items if before is None or item < before), reverse=True)[:count]
