"""The loaders of one request that read pages of lists. A page does not depend on the viewer."""

from functools import cached_property, partial

from domain.degraded import Degraded
from loaders import comments, follows, likes, lists, posts, saves
from loaders.lists import ListKind, ListPage
from loaders.loader import Loader
from loaders.saves import CachedSaves, OlderSaves
from loaders.shared import SharedLoaders
from state import State
from store.cache.lists import Item
from store.reactions.saves import SavesPage


class ListLoaders:
    """The loaders of list pages. The key of a page is a `ListPage`. Pages are newest first, unless the loader names
    another order.
    """

    def __init__(
        self, state: State, shared: SharedLoaders, degraded: Degraded, viewer_id: int | None, *, local: bool
    ) -> None:
        """Makes the loaders. Without `local`, no page comes from the local cache."""
        self._state = state
        self._shared = shared
        self._degraded = degraded
        self._local = local
        self._use_local = viewer_id is None
        """Whether lists with own items may come from the local cache: only if no user is signed in. The viewer's own
        new items are added until the cached list in Redis contains them. An older local copy would lack these items for
        a moment.
        """

    def release(self) -> None:
        """Drops everything that was loaded. The loaders and their functions refer to each other, so their memory would
        be free only after the next run of the garbage collector.
        """
        for loader in vars(self).values():
            if isinstance(loader, Loader):
                loader.release()
        vars(self).clear()

    def _pages(self, name: str, kind: ListKind, *, local: bool = True) -> Loader[ListPage, list[Item]]:
        return Loader(name, partial(lists.read_each, self._state.cache, kind, local=local and self._local))

    @cached_property
    def newest_comments(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of a subject's public root comments, newest first."""
        return self._pages("newest_comments", comments.newest(self._state), local=self._use_local)

    @cached_property
    def hot_comments(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of a subject's hottest root comments, in the order of their hot scores."""
        return self._pages("hot_comments", comments.hot(self._state), local=self._use_local)

    @cached_property
    def oldest_comments(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of a subject's public root comments, oldest first. The items have mirrored moments."""
        return self._pages("oldest_comments", comments.oldest(self._state), local=self._use_local)

    @cached_property
    def replies(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of the public replies to a root comment, oldest first. The items have mirrored moments."""
        return self._pages("replies", comments.replies(self._state, self._shared.comments), local=self._use_local)

    @cached_property
    def outboxes(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of an author's public posts."""
        return self._pages("outboxes", posts.outboxes(self._state))

    @cached_property
    def square(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of all public posts."""
        return self._pages("square", posts.square(self._state))

    @cached_property
    def under(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of a topic's public posts."""
        return self._pages("under", posts.under(self._state))

    @cached_property
    def hot(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of the hottest public posts of a topic, or of the square, in the order of their hot scores."""
        return self._pages("hot", posts.hot(self._state), local=self._use_local)

    @cached_property
    def followers(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of a user's followers."""
        return self._pages("followers", follows.followers(self._state))

    @cached_property
    def follow_requests(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of the users who have asked to follow a user."""
        return self._pages("follow_requests", follows.requests(self._state))

    @cached_property
    def friends(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of a user's friends."""
        return self._pages("friends", follows.friends(self._state))

    @cached_property
    def following(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of the users that a user follows."""
        return Loader("following", partial(follows.following, self._state, self._degraded))

    @cached_property
    def likers(self) -> Loader[ListPage, list[Item]]:
        """Loads pages of the users who like an entity."""
        return self._pages("likers", likes.likers(self._state))

    @cached_property
    def cached_saves(self) -> Loader[int, CachedSaves]:
        """Loads all cached saves of users, by user id. Raises RedisDown."""
        return Loader("cached_saves", partial(saves.cached_of, self._state))

    @cached_property
    def older_saves(self) -> Loader[SavesPage, OlderSaves]:
        """Loads pages of saves from rows and pending changes."""
        return Loader("older_saves", partial(saves.older, self._state))
