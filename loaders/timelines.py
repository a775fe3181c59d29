"""Reads the posts that may appear in home timelines. They are in inboxes, the cached lists into which new posts of
followed users are pushed. Posts of big accounts (authors with very many followers) are not pushed, and are read from
the authors' own lists.
"""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from cachetools import TLRUCache

from loaders import lists, posts
from loaders.lists import ListKind, ListPage
from loaders.memory import Memory
from models.counters import EntityRef
from settings import USERS
from state import State
from store.cache.lists import Above, Item, newest_of
from store.content import big_accounts
from store.content.inboxes import INBOX_LIFE_MS, REPOSTS, followed_page, followed_reposts, inbox_key, reposts_key
from store.postgres.client import Postgres
from store.reactions import reposts

_FILLS = 100
_MOST_COPIES = 2000
_COPIED_ITEMS = 200
"""The number of a big account's newest posts in the local cache."""
_ALL_AUTHORS = EntityRef(USERS, 0)
T = TypeVar("T")


class _Copy(NamedTuple, Generic[T]):
    """A local copy of a list, and the time (of the monotonic clock, in seconds) at which its read began. The copy may
    lack changes since that time.
    """

    asked: float
    value: T


INBOXES = ListKind(
    inbox_key, lambda state, _: state.settings.caches.inbox_posts, followed_page, fills=_FILLS, life_ms=INBOX_LIFE_MS
)
"""The posts that were pushed to a user. Items that are older than the cached part are read from the rows of the
followed users' posts.
"""
FOLLOWED_REPOSTS = ListKind(reposts_key, lambda _, __: REPOSTS, followed_reposts, fills=_FILLS, life_ms=INBOX_LIFE_MS)
"""The reposts of followed users that were pushed to a user. The members stand for reposts (models/reposts.py)."""
REPOSTED = ListKind(reposts.by_user_key, lambda _, __: REPOSTS, reposts.by_user, _FILLS)
"""The reposts of a user, newest first. The members stand for reposts."""


async def _newest_authors(postgres: Postgres, _: EntityRef, before: Item | None, count: int) -> list[Item]:
    return [item for item in await big_accounts.newest(postgres) if not before or item < before][:count]


_BIG_ACCOUNTS = ListKind(big_accounts.list_key, lambda _, __: big_accounts.MOST, _newest_authors)


class BigAccounts:
    """The big accounts (authors with very many followers) and their newest posts, as local copies for all requests of a
    process. Posts of big accounts are not pushed into inboxes.

    A copy is at most `local_cache_seconds` old, so a new post may appear that much later.
    """

    def __init__(self, state: State, authors_of: Memory[int, int]) -> None:
        seconds = state.settings.local_cache_seconds
        self._state = state
        self._authors_of = authors_of

        def until(_: object, copy: _Copy[Any], now: float) -> float:  # noqa: ARG001
            return copy.asked + seconds

        self._authors: TLRUCache[None, _Copy[dict[int, int]]] = TLRUCache(1, until)
        self._outboxes: TLRUCache[int, _Copy[list[Item]]] = TLRUCache(_MOST_COPIES, until)
        self._asking: asyncio.Task[dict[int, int]] | None = None

    async def authors(self) -> dict[int, int]:
        """Returns the big accounts by user id; minus the id for the reposts of an account. The value is a moment: none
        of the user's posts (or reposts) that were not pushed is later.
        """
        if known := self._authors.get(None):
            return known.value
        if self._asking is None:
            self._asking = asyncio.ensure_future(self._ask())
        return await asyncio.shield(self._asking)

    async def _ask(self) -> dict[int, int]:
        asked = time.monotonic()
        try:
            page = ListPage(_ALL_AUTHORS, None, big_accounts.MOST)
            (items,) = await lists.read(self._state, _BIG_ACCOUNTS, [page])
            authors = {author: moment for moment, author in items}
            self._authors[None] = _Copy(asked, authors)
            return authors
        finally:
            self._asking = None

    async def page(self, newest: Mapping[int, int], before: Item | None, count: int) -> list[Item]:
        """Returns up to `count` posts and reposts of big accounts that are older than `before`, newest first. `newest`
        is the result of `authors`, or the part of it to include. The members of reposts stand for both the account and
        the post (models/reposts.py).

        Reads only the lists of posts (outboxes) and of reposts that can have an item on the page, or all of them if
        deleted posts leave the page short. The result may lack what was pushed, which inboxes contain.
        """
        authors = sorted(newest, key=newest.__getitem__, reverse=True)
        if isinstance(before, Above):
            return await self._merged([one for one in authors if newest[one] >= before.score], before, count)
        first = count + sum(before is not None and moment >= before.score for moment in newest.values())
        items = await self._merged(authors[:first], before, count)
        rest = authors[first:]
        if rest and (len(items) < count or items[-1].score <= newest[rest[0]]):
            items = sorted([*items, *await self._merged(rest, before, count)], reverse=True)[:count]
        return items

    async def _merged(self, authors: Sequence[int], before: Item | None, count: int) -> list[Item]:
        """Returns up to `count` public posts of these authors, and for negative ids reposts, that are older than
        `before`, from local copies where possible. Remembers which post is whose.
        """
        newest = {author: copy.value for author in authors if (copy := self._outboxes.get(author))}
        if missing := [author for author in authors if author not in newest]:
            asked = time.monotonic()
            newest |= dict(zip(missing, await self._read(missing, None, _COPIED_ITEMS), strict=True))
            self._outboxes.update({author: _Copy(asked, newest[author]) for author in missing})
        pages = {author: _page(items, before, count) for author, items in newest.items()}
        if far := [author for author, page in pages.items() if page is None]:
            pages |= dict(zip(far, await self._read(far, before, count), strict=True))
        found = {item.member: author for author, page in pages.items() if author > 0 for item in page or ()}
        self._authors_of.remember(found)
        return newest_of(chain.from_iterable(page or () for page in pages.values()), before, count)

    async def _read(self, authors: Sequence[int], before: Item | None, count: int) -> list[list[Item]]:
        async def of(kind: ListKind, some: Sequence[int]) -> Iterable[tuple[int, list[Item]]]:
            pages = [ListPage(EntityRef(USERS, abs(author)), before, count) for author in some]
            return zip(some, await lists.read(self._state, kind, pages), strict=True) if some else ()

        found = await asyncio.gather(
            of(posts.OUTBOXES, [author for author in authors if author > 0]),
            of(REPOSTED, [author for author in authors if author < 0]),
        )
        by_author = dict(chain.from_iterable(found))
        return [by_author[author] for author in authors]


def _page(newest: Sequence[Item], before: Item | None, count: int) -> list[Item] | None:
    """Returns up to `count` items that are older than `before` from `newest`, a local copy of the newest items of a
    list. Returns None if the copy is too short.
    """
    page = newest_of(newest, before, count)
    is_enough = (not newest or newest[-1] <= before) if isinstance(before, Above) else len(page) == count
    return page if is_enough or len(newest) < _COPIED_ITEMS else None
