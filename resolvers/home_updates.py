"""Subscription.homePostAdded: sends each post that is added to the newest posts of the viewer's home. Reposts are not
sent.
"""

from collections.abc import AsyncIterator

from context import Context
from models.counters import EntityRef
from models.home import ONLY_POSTS
from models.posts import PostRow
from models.users import ViewerRow
from resolvers import home
from resolvers.pages import Connection, Edge
from settings import USERS
from store.cache.lists import Item
from store.content import big_accounts
from store.content.inboxes import inbox_key
from store.content.outboxes import own_key

_WATCHED = 20
"""The number of newest posts of the home timeline that are watched. Only posts among these are sent."""
_REMEMBERED = 200
"""The number of posts that each subscription remembers, so that it sends no post twice."""
_OLDEST = Item(0, 0)
_HOME, _BIG_ACCOUNTS = "home", "big accounts"


async def added(context: Context) -> AsyncIterator[Edge[PostRow]]:
    """Resolves Subscription.homePostAdded: yields posts that are added to the newest posts of the viewer's home, oldest
    first.

    Raises Unauthenticated if no user is signed in.
    """
    user_id = context.require_viewer().user_id
    return _additions(context, user_id, await _newest(context, user_id))


async def _additions(context: Context, user_id: int, page: Connection[PostRow]) -> AsyncIterator[Edge[PostRow]]:
    """Yields the posts that `added` sends; `page` is the newest page at the start. Reads the newest page again when the
    viewer's inbox, the viewer's own posts or the list of big accounts change. After a change of the list of big
    accounts, first waits until the local caches of all processes have the new posts.
    """
    known = KnownPosts(page)
    viewer = EntityRef(USERS, user_id)
    channels = {inbox_key(viewer): _HOME, own_key(viewer): _HOME, big_accounts.list_key(): _BIG_ACCOUNTS}
    with context.state.events.changes_in(channels) as changes:
        async for source in changes:
            if source == _BIG_ACCOUNTS:
                changes.mark_later(_HOME, context.state.settings.local_cache_seconds)
                continue
            await context.next_event()
            newest = await changes.read_or_retry(_HOME, _newest(context, user_id))
            if newest is None:
                continue
            for edge in known.additions(newest):
                context.changed = edge.item
                yield edge
                if context.degraded.was_reported:
                    known.send_again(edge.item)
                    changes.retry(_HOME)


class KnownPosts:
    """The posts that were among the newest posts of a home timeline since a subscription began. Each post is sent at
    most once, unless `send_again` is called for it.

    A post may leave the timeline and come back, for example after a part of the cache is lost. So the newest posts are
    remembered. A post that is older than a forgotten post is not sent.
    """

    def __init__(self, page: Connection[PostRow]) -> None:
        self._items: dict[int, Item] = {}
        self._again: set[Item] = set()
        self._floor = self._oldest = _OLDEST
        self._remember(page)

    def additions(self, page: Connection[PostRow]) -> list[Edge[PostRow]]:
        """Returns the posts to send: those that are on the page and were on no earlier one, oldest first. Remembers all
        posts of the page. Leaves out older posts that moved up onto the page because another post left it.
        """
        above = max(self._floor, self._oldest)
        new = [
            edge
            for edge in reversed(page.edges)
            if edge.item in self._again or (edge.item.member not in self._items and edge.item > above)
        ]
        self._again.clear()
        self._remember(page)
        return new

    def send_again(self, item: Item) -> None:
        """Makes the next call of `additions` return this post again, if it is on that page."""
        self._again.add(item)

    def _remember(self, page: Connection[PostRow]) -> None:
        self._oldest = page.items[-1] if page.has_next_page else _OLDEST
        self._items |= {item.member: item for item in page.items}
        if len(self._items) > _REMEMBERED:
            newest = sorted(self._items.values(), reverse=True)
            self._items = {item.member: item for item in newest[:_REMEMBERED]}
            self._floor = max(self._floor, newest[_REMEMBERED])


async def _newest(context: Context, user_id: int) -> Connection[PostRow]:
    (page,) = await home.home(context, [ViewerRow(user_id)], _WATCHED, filter=ONLY_POSTS, topics=False)
    assert isinstance(page, Connection)  # a page without a cursor cannot have a bad one
    return page
