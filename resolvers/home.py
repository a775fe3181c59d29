"""Viewer.home: what the viewer and those they follow have published, newest first; and word of what is added.

Skeleton: the inbox, the outboxes of big accounts that are followed, and what is the viewer's own. Load: posts. Filter:
what is deleted or not approved, and authors who are not followed any more; refilled by `timelines.page`.
"""

from collections.abc import AsyncIterator, Sequence

from context import Context
from domain.errors import BadCursor
from loaders import lists
from loaders.lists import ListPage
from loaders.timelines import inbox_life_ms, inboxes
from models.counters import EntityRef
from models.posts import PostRow
from models.users import ViewerRow
from resolvers import timelines
from resolvers.pages import Connection, Edge
from settings import USERS
from store.cache.lists import Item
from store.content.outboxes import own_key
from store.content.timelines import inbox_key, pulled_key, renew_inbox

_WATCHED = 20
"""What comes into so many of the newest is told to whoever watches."""
_REMEMBERED = 200
"""So many posts are remembered for each watcher."""
_OLDEST = Item(0, 0)
_HOME, _PULLED = "home", "pulled"


async def home(
    context: Context, viewers: Sequence[ViewerRow], first: int, after: str | None = None
) -> list[Connection[PostRow] | BadCursor]:
    """One viewer's, which is the caller: nobody is another's viewer."""
    page = await _page(context, viewers[0].user_id, first, after)
    return [page] * len(viewers)


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


async def added(context: Context) -> AsyncIterator[Edge[PostRow]]:
    """Subscription.homePostAdded: what comes into the newest of the viewer's home from now on, oldest first.

    Raises Unauthenticated.
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
