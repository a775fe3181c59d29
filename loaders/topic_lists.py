"""Merges the lists of posts under several topics, and about several entities: for the timeline of what a user follows,
and for home.
"""

from collections.abc import Sequence

from loaders.lists import ListPage
from loaders.loader import Loader
from models.counters import EntityRef
from state import State
from store.cache import lists
from store.cache.lists import NEWEST, Item, newest_of
from store.content import topics

_FEW = 10
"""Up to this many lists are read without finding out first which of them are cached and how new their posts are. At
most so many lists that are not cached are filled for one page, and so many lists are read for one page of home.
"""
_PER_PLACE = 5
"""The most posts that are candidates for each place on a page of home."""
Under = Loader[ListPage, list[Item]]
"""Loads pages of the lists of posts under topics and about entities."""


async def page(
    state: State, under: Under, followed: Sequence[EntityRef], before: Item | None, count: int
) -> list[Item]:
    """Returns up to `count` posts under these topics, or about these entities, that are older than `before` (None: the
    newest), newest first.

    Reads only the lists that can have a post on the page. If many lists are not cached, fills some of them, and reads
    all others with one query for topics and one for entities. While Redis is down, reads all lists like that. Raises
    PostgresDown.
    """
    if state.cache.redis.is_unavailable:
        return await topics.merged_page(state.postgres, followed, before, count)
    if len(followed) <= _FEW:
        return await _merged(under, followed, before, count)
    heads = await _heads(state, followed, before)
    warm = sorted(heads, key=heads.__getitem__, reverse=True)
    cold = [ref for ref in followed if ref not in heads]
    items = await _merged(under, [*warm[:count], *cold[:_FEW]], before, count)
    if rest := cold[_FEW:]:
        items += await topics.merged_page(state.postgres, rest, before, count)
    items = sorted({*items}, reverse=True)[:count]
    if (rest := warm[count:]) and (len(items) < count or items[-1].score <= heads[rest[0]].score):
        items = sorted({*items, *await _merged(under, rest, before, count)}, reverse=True)[:count]
    return items


async def _merged(under: Under, followed: Sequence[EntityRef], before: Item | None, count: int) -> list[Item]:
    pages = await under.ask([ListPage(ref, before, count) for ref in followed])
    return sorted({item for items in pages for item in items}, reverse=True)[:count]


async def near(state: State, under: Under, followed: Sequence[EntityRef], places: Sequence[Item | None]) -> list[Item]:
    """Returns posts of these topics and entities that may stand on a page of home, newest first: for each of `places`,
    the few newest posts that are older. `places` are items of the page in its order; None stands for the beginning of
    home.

    Reads only cached parts of lists: pages of the few lists with the newest posts, and the newest post of all others.
    Fills lists that are not cached. Returns nothing while Redis is down. Raises PostgresDown.
    """
    if state.cache.redis.is_unavailable:
        return []
    first = places[0]
    heads = await _heads(state, followed, first) if len(followed) > _FEW else {}
    chosen = sorted(followed, key=lambda ref: heads.get(ref, NEWEST), reverse=True)[:_FEW]
    wanted = [(ref, place) for ref in chosen for place in places]
    keys = [topics.list_key(ref) for ref, _ in wanted]
    before = [place for _, place in wanted]
    pages = await lists.read(state.cache.redis, keys, before, [_PER_PLACE] * len(wanted), partly=True)
    cold = {ref for (ref, _), page in zip(wanted, pages, strict=True) if page is None}
    filled = await under.ask([ListPage(ref, None, _PER_PLACE) for ref in sorted(cold)])
    found = {item for page in pages if page for item in page.items}
    found |= {item for items in (heads.values(), *filled) for item in items if item.member}
    newest = {item for place in places for item in newest_of(found, place, _PER_PLACE)}
    return sorted(newest, reverse=True)


async def _heads(state: State, followed: Sequence[EntityRef], before: Item | None) -> dict[EntityRef, Item]:
    """Returns the newest item of each of these lists that is not newer than `before` (`lists.heads`). Leaves out lists
    that are not cached.
    """
    heads = await lists.heads(state.cache.redis, list(map(topics.list_key, followed)), before)
    return {ref: head for ref, head in zip(followed, heads, strict=True) if head}
