"""Viewer.home: the posts of the viewer and of the users they follow, newest first.

1. candidates: the viewer's inbox, the newest posts of big accounts that they follow, and the viewer's own posts;
2. hydrate: load the candidate posts, and whether the viewer follows their authors;
3. filter: leave out posts that the viewer cannot see, and authors whom they no longer follow;
4. page: `timelines.page` merges the candidates, and takes more of them while a page is short.

resolvers/home_updates.py answers the subscription.
"""

from collections.abc import Sequence
from functools import partial

from context import Context
from domain.errors import BadCursor
from loaders import lists
from loaders.lists import ListPage
from loaders.timelines import inbox_life_ms, inboxes
from models.counters import EntityRef
from models.posts import PostRow
from models.users import ViewerRow
from resolvers import timelines
from resolvers.pages import Connection
from resolvers.timelines import Source
from settings import USERS
from store.cache.lists import Item
from store.content.outboxes import own_key
from store.content.timelines import inbox_key, pulled_key, renew_inbox


async def home(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> list[Connection[PostRow] | BadCursor]:
    """Returns the page of the one viewer, who is the caller."""
    result = await page(context, viewers[0].user_id, first, after)
    return [result] * len(viewers)


async def _page(context: Context, user_id: int, first: int, after: str | None) -> Connection[PostRow] | BadCursor:
    inbox, near = EntityRef(USERS, user_id), context.shared.big_accounts

    async def pushed(before: Item | None, count: int) -> list[Item]:
        if before is None:  # whoever comes to look is pushed to for another while
            renew_inbox(context.state.cache, user_id, inbox_life_ms(context.state))
        (items,) = await lists.read(context.state.cache, inboxes(context.state), [ListPage(inbox, before, count)])
        return items

    async def pulled(before: Item | None, count: int) -> list[Item]:
        newest = await near.authors()
        followed = await context.loaders.followed_among(newest) if newest else ()
        return await near.page({author: newest[author] for author in followed}, before, count)

    async def load(ids: Sequence[int]) -> list[PostRow | None]:
        known = {author for id_ in ids if (author := near.author_of.get(id_))}
        context.loaders.follows.ask(sorted(known))  # on its way with the posts; most authors are known by now
        posts = await context.loaders.posts.load_many(ids)
        near.author_of.update({post.post_id: post.author_id for post in posts if post})
        authors = sorted({post.author_id for post in posts if post})
        followed = dict(zip(authors, await context.loaders.follows.load_many(authors), strict=True))
        return [p if p and (p.author_id == user_id or followed[p.author_id]) else None for p in posts]

    sources = [pushed, pulled, *timelines.own(context)]
    return await timelines.page(context, f"home:{user_id}", load, sources, first, after)


def _candidates(context: Context, user_id: int) -> list[Source]:
    return [
        partial(_from_inbox, context, user_id),
        partial(_from_big_accounts, context),
        *timelines.own(context),
    ]


async def _from_inbox(context: Context, user_id: int, before: Item | None, count: int) -> list[Item]:
    """Returns items of the inbox. Reading its first page keeps the inbox alive."""
    cache = context.state.cache
    if before is None:
        cache.redis("PEXPIRE", keys.inbox(user_id), inbox_life_ms(context.state), write=True)
    page = ListPage(EntityRef(USERS, user_id), before, count)
    (items,) = await lists.read(cache, inboxes(context.state), [page])
    return items


async def _from_big_accounts(context: Context, before: Item | None, count: int) -> list[Item]:
    """Returns posts of followed authors whose posts are not pushed into inboxes."""
    big_accounts = context.shared.big_accounts
    newest = await big_accounts.authors()
    followed = await context.loaders.followed_among(newest) if newest else ()
    return await big_accounts.page({author: newest[author] for author in followed}, before, count)


async def _visible(context: Context, user_id: int, ids: Sequence[int]) -> list[PostRow | None]:
    """Returns the posts in the order of their ids, with None for those that do not belong in the viewer's home."""
    posts, followed = await _hydrate(context, ids)
    return [post if post and (post.author_id == user_id or post.author_id in followed) else None for post in posts]


async def _hydrate(context: Context, ids: Sequence[int]) -> tuple[Sequence[PostRow | None], set[int]]:
    """Returns the posts, None for those that the viewer cannot see, and which of their authors the viewer follows.

    Authors that this process knows are looked up in the same round trip as the posts.
    """
    user_id = context.require_viewer().user_id
    return _additions(context, user_id, await _newest(context, user_id))


async def _additions(context: Context, user_id: int, page: Connection[PostRow]) -> AsyncIterator[Edge[PostRow]]:
    """Looks whenever one of home's sources says that it has changed: what is pulled, when near copies have it too."""
    known = Known(page)
    own = EntityRef(USERS, user_id)
    channels = {inbox_key(own): _HOME, own_key(own): _HOME, pulled_key(): _PULLED}
    with context.state.events.hearing(channels) as changes:
        async for source in changes:
            if source == _PULLED:
                changes.touch_later(_HOME, context.state.settings.local_cache_seconds)
                continue
            await context.catch_up()
            context.forget()
            newest = await changes.look(_HOME, _newest(context, user_id))
            if newest is None:
                continue
            for edge in known.additions(newest):
                yield edge


class Known:
    """The posts that were in the newest of a home since somebody began to watch it. Each is an addition at most once.

    A post may leave and come back, as when a part of the cache is lost. The newest posts are remembered, and what is
    older than any that is forgotten is no addition.
    """

    def __init__(self, page: Connection[PostRow]) -> None:
        self._items: dict[int, Item] = {}
        self._floor = self._oldest = _OLDEST
        self._remember(page)

    def additions(self, page: Connection[PostRow]) -> list[Edge[PostRow]]:
        """Returns what is on a page for the first time, the oldest first, but for what has moved up from below it."""
        above = max(self._floor, self._oldest)
        new = [edge for edge in reversed(page.edges) if edge.item.member not in self._items and edge.item > above]
        self._remember(page)
        return new

    def _remember(self, page: Connection[PostRow]) -> None:
        self._oldest = page.items[-1] if page.has_next_page else _OLDEST
        self._items |= {item.member: item for item in page.items}
        if len(self._items) > _REMEMBERED:
            newest = sorted(self._items.values(), reverse=True)
            self._items = {item.member: item for item in newest[:_REMEMBERED]}
            self._floor = max(self._floor, newest[_REMEMBERED])


async def _newest(context: Context, user_id: int) -> Connection[PostRow]:
    page = await _page(context, user_id, _WATCHED, None)
    assert isinstance(page, Connection)  # there is no cursor to be bad
    return page
