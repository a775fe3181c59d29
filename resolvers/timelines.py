"""Timelines: lists merged from several sources. Rows that the viewer may not see are left out, and the page is filled
up.

A source is a function that returns a number of items of one list that are older than a given item.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum
from functools import partial
from typing import Any, TypeVar

from context import Context
from domain.errors import BadCursor, Unavailable
from domain.ids import PostId
from loaders import lists, posts
from loaders.lists import ListPage
from loaders.loader import Loader
from models.counters import EntityRef
from models.users import UserRow
from resolvers import pages
from resolvers.pages import Connection, PageArguments, Pages, Scope, Slice, position
from settings import USERS
from store.cache.lists import Above, Item, newest_of
from store.content.hot import cached_scores

Row = TypeVar("Row")
Load = Callable[[Sequence[int]], Awaitable[Sequence[Row | None]]]
"""Loads rows by their ids. None for a row that must not be shown."""
Source = Callable[[Item | None, int], Awaitable[list[Item]]]
"""Returns a number of items of a list that are older than an item, or the newest ones if this item is None, newest
first; if it is an Above, those that are newer, oldest first. Returns fewer only at the end of the list.
"""


class TimelineSort(Enum):
    """The order of a list of posts."""

    LATEST = "LATEST"
    HOT = "HOT"


_MOST_ROUNDS, _MOST_AT_ONCE = 30, 400
"""The maximum number of rounds that fill up one page, and of items per round. A ranked list is read up to the product
of both. That is more items than any cached list has. Only cached lists contain items that must not be shown; queries of
Postgres leave them out.
"""


async def page(
    context: Context,
    scope: str,
    load: Load[Row],
    sources: Sequence[Source],
    first: int | None,
    after: str | None,
    last: int | None = None,
    before: str | None = None,
    *,
    ranked: bool = False,
) -> Connection[Row] | BadCursor:
    """Returns the page that follows the cursor `after` (or, with `last`, that comes before the cursor `before`) in the
    list merged from all sources, newest items first; BadCursor if the cursor is not one of the list. `scope` is the
    name of the list in its cursors. Each item is returned once. Items for which `load` returns None are left out, and
    the page is filled up. `ranked` says that the items may change their places (see `collect`). Raises BadInput as
    `pages.window` does; Unavailable if the page cannot be read or filled.
    """
    cursors = context.state.cursors
    try:
        window = pages.window(cursors, Scope(scope), PageArguments(first, after, last, before))
    except BadCursor as error:
        return error
    items, by_id = await collect(load, sources, window.start, window.most + 1, ranked=ranked)
    return window.page(cursors, scope, items, by_id)


async def people(
    context: Context,
    scopes: Sequence[Scope],
    first: int,
    after: str | None,
    items: Callable[[Sequence[Slice]], Awaitable[Sequence[Sequence[Item]]]],
    users: Loader[int, UserRow | None],
) -> Pages[UserRow]:
    """Returns one page of each list of users in `scopes`: `items` reads the ids of each page, and `users` loads the
    users. Leaves out users for whom it loads None, because they are hidden from the viewer, and fills these pages up.
    Raises BadInput unless `first` is 1 to 100.
    """
    nodes = partial(users.ask, each=True)
    found = await pages.connections(context.state.cursors, scopes, first, after, items, nodes)
    short = [of for of, one in enumerate(found) if isinstance(one, Connection) and one.lacks_nodes]
    refilled = [_refilled(context, scopes[of], first, after, partial(_slice, items, of), users) for of in short]
    for of, connection in zip(short, await asyncio.gather(*refilled) if refilled else (), strict=True):
        found[of] = connection
    return found


async def _slice(
    items: Callable[[Sequence[Slice]], Awaitable[Sequence[Sequence[Item]]]], of: int, before: Item | None, count: int
) -> list[Item]:
    (found,) = await items([Slice(of, before, count)])
    if isinstance(found, Exception):
        raise found
    return list(found)


async def _refilled(
    context: Context,
    scope: Scope,
    first: int,
    after: str | None,
    read: Source,
    users: Loader[int, UserRow | None],
) -> Connection[UserRow] | Exception:
    """Returns a filled-up page of one list of users, or the exception if the list cannot be read. Items that are left
    out count toward `scope.depth`, the maximum number of items that the caller may read, too.
    """
    _, passed = position(context.state.cursors, scope, after)
    left = None if scope.depth is None else max(0, scope.depth - passed)

    async def source(before: Item | None, count: int) -> list[Item]:
        nonlocal left
        found = await read(before, count if left is None else min(count, left))
        left = None if left is None else left - len(found)
        return found

    try:
        return await page(context, scope.name, users.ask, [source], first, after)
    except Unavailable as error:
        return error


async def collect(
    load: Callable[[Sequence[Any]], Awaitable[Sequence[Row]]],
    sources: Sequence[Source],
    before: Item | None,
    count: int,
    *,
    ranked: bool = False,
    spare: int = 0,
    by_item: bool = False,
) -> tuple[list[Item], dict[int, Row]]:
    """Returns `count` items that are older than `before` (newer, oldest first, if it is an Above), and their rows by
    id. Leaves out items for which `load` returns None, and reads more items until enough rows are found or the sources
    end. The first read has `spare` items more, if some will probably be left out. `load` gets ids, or items
    if `by_item` is true.

    In a ranked list, which is ordered by a score, an item may change its place between two reads. So each further read
    starts at the beginning again: an item that has risen meanwhile is not skipped.

    Raises Unavailable if too many items are left out, so that a short page always means the end of the list.
    """
    kept: list[Item] = []
    by_id: dict[int, Row] = {}
    most = count + spare
    for _ in range(_MOST_ROUNDS):
        candidates = await items_of(sources, before, most)
        loaded = await load(candidates if by_item else [item.member for item in candidates]) if candidates else ()
        for item, row in zip(candidates, loaded, strict=True):
            if row and item.member not in by_id:
                kept.append(item)
                by_id[item.member] = row
        if len(kept) >= count or len(candidates) < most:
            return kept[:count], by_id
        more = max(2 * most, _MOST_AT_ONCE // 4)
        if not ranked:
            before = Above(*candidates[-1]) if isinstance(before, Above) else candidates[-1]
            most = min(more, _MOST_AT_ONCE)
        elif more <= _MOST_ROUNDS * _MOST_AT_ONCE:
            kept, by_id, most = [], {}, more
        else:
            break
    raise Unavailable("This page cannot be filled: too many of its items are deleted or hidden.")


async def items_of(sources: Sequence[Source], before: Item | None, count: int) -> list[Item]:
    """Returns the newest `count` items of all sources that are older than `before`, each once; the oldest items that
    are newer if it is an Above.
    """
    lists = await asyncio.gather(*[source(before, count) for source in sources])
    backward = isinstance(before, Above)
    return sorted({item for items in lists for item in items}, reverse=not backward)[:count]


def listed(loader: Loader[ListPage, list[Item]], of: EntityRef) -> Source:
    """Returns a source for the list whose owner is `of`, read through `loader`. The list is the same for all users."""

    async def page(before: Item | None, count: int) -> list[Item]:
        found: list[list[Item]] = await loader.ask([ListPage(of, before, count)])
        return found[0]

    return page


def own(context: Context) -> list[Source]:
    """Returns the sources of the viewer's own posts, approved or not. Returns no sources if no user is signed in, or if
    the token is for other businesses.
    """
    if context.viewer is None or not context.is_for(PostId.business):
        return []
    return [partial(_written, context, EntityRef(USERS, context.viewer.user_id)), context.own.just_now]


async def _written(context: Context, viewer: EntityRef, before: Item | None, count: int) -> list[Item]:
    page = ListPage(viewer, before, count)
    (items,) = await lists.read(context.state, posts.OWN, [page])
    return items


def just_now_by_score(context: Context, topic: EntityRef) -> Source:
    """Returns a source of the posts that the viewer has just published, for a list ordered by hot score.

    A post stays in the source until no request can have a copy of the list without it. Its position is its score in the
    cached list. If the cached list lacks the post, its position is the score of a post without votes.
    """

    async def published(before: Item | None, count: int) -> list[Item]:
        items = await context.own.just_now()
        scores = await cached_scores(context.state.cache, topic, [item.member for item in items])
        return newest_of((Item(scores.get(id_, moment), id_) for moment, id_ in items), before, count)

    return published
