"""Pages of lists, equal for all viewers."""

from collections.abc import Callable, Sequence
from functools import cached_property, partial

from domain.degraded import Degraded
from loaders import comments, follows, likes, lists, posts, saves
from loaders.lists import ListKind, ListPage
from loaders.loader import Each, Loader, loads
from loaders.request.reader import Reader
from loaders.saves import CachedSaves, OlderSaves
from loaders.shared import SharedLoaders
from state import State
from store.cache.lists import Item
from store.reactions.saves import SavesPage


class _Pages(cached_property[Loader[ListPage, list[Item]]]):
    """An attribute of `Lists` that loads pages of one kind of list."""

    def __init__(self, kind: Callable[[State], ListKind], *, has_own_items: bool = False) -> None:
        """With `has_own_items`, the list may come from the local cache only if no user is signed in. The viewer's own
        new items are added until the cached list in Redis contains them. An older local copy would lack these items for
        a moment.
        """
        super().__init__(lambda self_: self_._pages(self.attrname, kind(self_._state), has_own_items=has_own_items))


class Lists:
    """The loaders of list pages. Pages are newest first, unless the loader names another order."""

    def __init__(self, state: State, shared: SharedLoaders, degraded: Degraded, reader: Reader, *, local: bool) -> None:
        """Makes the loaders. Without `local`, no page comes from the local cache."""
        self._state = state
        self._shared = shared
        self._degraded = degraded
        self._reader = reader
        self._local = local

    def _pages(self, name: str, kind: ListKind, *, has_own_items: bool = False) -> Loader[ListPage, list[Item]]:
        local = self._local and not (has_own_items and self._reader.viewer_id is not None)
        return Loader(name, partial(lists.read_each, self._state.cache, kind, local=local))

    newest_comments = _Pages(comments.newest, has_own_items=True)
    """Loads pages of a subject's public root comments, newest first."""
    hot_comments = _Pages(comments.hot, has_own_items=True)
    """Loads pages of a subject's hottest root comments, in the order of their hot scores."""
    oldest_comments = _Pages(comments.oldest, has_own_items=True)
    """Loads pages of a subject's public root comments, oldest first. The items have mirrored moments."""
    outboxes = _Pages(posts.outboxes)
    """Loads pages of an author's public posts."""
    square = _Pages(posts.square)
    """Loads pages of all public posts."""
    under = _Pages(posts.under)
    """Loads pages of a topic's public posts."""
    hot = _Pages(posts.hot, has_own_items=True)
    """Loads pages of the hottest public posts of a topic, or of the square, in the order of their hot scores."""
    followers = _Pages(follows.followers)
    """Loads pages of a user's followers."""
    follow_requests = _Pages(follows.requests)
    """Loads pages of the users who have asked to follow a user."""
    friends = _Pages(follows.friends)
    """Loads pages of a user's friends."""
    likers = _Pages(likes.likers)
    """Loads pages of the users who like an entity."""

    @cached_property
    def replies(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of the public replies to a root comment, oldest first. The items have mirrored moments."""
        return self._pages("replies", comments.replies(self._state, self._shared.comments), has_own_items=True)

    @loads
    async def following(self, pages: Sequence[ListPage]) -> Each[list[Item]]:
        """Loads pages of the users that a user follows."""
        return await follows.following(self._state, self._degraded, pages)

    @loads
    async def cached_saves(self, users: Sequence[int]) -> Each[CachedSaves]:
        """Loads all cached saves of users, by user id. Raises RedisDown."""
        return await saves.cached_of(self._state, users)

    @loads
    async def older_saves(self, pages: Sequence[SavesPage]) -> Each[OlderSaves]:
        """Loads pages of saves from rows and pending changes."""
        return await saves.older(self._state, pages)
