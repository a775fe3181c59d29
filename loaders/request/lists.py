"""Pages of lists, equal for all viewers."""

from collections.abc import Sequence
from functools import cached_property, partial

from loaders import comments, follows, likes, lists, posts, saves
from loaders.lists import ListKind, ListPage
from loaders.loader import Each, Loader, loads
from loaders.request.reader import RequestLoaders
from loaders.saves import CachedSaves, OlderSaves
from store.cache.lists import Item
from store.reactions.saves import SavesPage


class _Pages(cached_property[Loader[ListPage, list[Item]]]):
    """An attribute of `Lists` that loads pages of one kind of list."""

    def __init__(self, kind: ListKind, *, has_own_items: bool = False) -> None:
        """With `has_own_items`, the list may come from the local cache only if no user is signed in. The viewer's own
        new items are added until the cached list in Redis contains them. An older local copy would lack these items for
        a moment.
        """

        def loader(lists_: "Lists") -> Loader[ListPage, list[Item]]:
            local = lists_.local and not (has_own_items and lists_.reader.viewer_id is not None)
            read = partial(lists.read_each, lists_.state, kind, local=local)
            return Loader(str(self.attrname), read)

        super().__init__(loader)


class Lists(RequestLoaders):
    """The loaders of list pages. Pages are newest first, unless the loader names another order."""

    newest_comments = _Pages(comments.NEWEST, has_own_items=True)
    """Loads pages of a subject's public root comments, newest first."""
    hot_comments = _Pages(comments.HOT, has_own_items=True)
    """Loads pages of a subject's hottest root comments, in the order of their hot scores."""
    oldest_comments = _Pages(comments.OLDEST, has_own_items=True)
    """Loads pages of a subject's public root comments, oldest first. The items have mirrored moments."""
    outboxes = _Pages(posts.OUTBOXES)
    """Loads pages of an author's public posts."""
    square = _Pages(posts.SQUARE)
    """Loads pages of all public posts."""
    under = _Pages(posts.UNDER)
    """Loads pages of a topic's public posts."""
    hot = _Pages(posts.HOT, has_own_items=True)
    """Loads pages of the hottest public posts of a topic, or of the square, in the order of their hot scores."""
    followers = _Pages(follows.FOLLOWERS)
    """Loads pages of a user's followers."""
    follow_requests = _Pages(follows.REQUESTS)
    """Loads pages of the users who have asked to follow a user."""
    friends = _Pages(follows.FRIENDS)
    """Loads pages of a user's friends."""
    likers = _Pages(likes.LIKERS)
    """Loads pages of the users who like an entity."""

    @loads
    async def replies(self, pages: Sequence[ListPage]) -> Each[list[Item]]:
        """Loads pages of the public replies to a root comment, oldest first. The items have mirrored moments."""
        local = self.local and self.reader.viewer_id is None
        return await lists.read_each(self.state, comments.replies(self.shared.comments), pages, local=local)

    @loads
    async def following(self, pages: Sequence[ListPage]) -> Each[list[Item]]:
        """Loads pages of the users that a user follows."""
        return await follows.following(self.state, self.degraded, pages)

    @loads
    async def cached_saves(self, users: Sequence[int]) -> Each[CachedSaves]:
        """Loads all cached saves of users, by user id. While Redis is down, `load` raises RedisDown."""
        return await saves.cached_of(self.state, users)

    @loads
    async def older_saves(self, pages: Sequence[SavesPage]) -> Each[OlderSaves]:
        """Loads pages of saves from rows and pending changes."""
        return await saves.older(self.state, pages)
