"""The loaders of one request that read lists, page by page: they are the same for everybody who may ask for them."""

from functools import cached_property, partial

from degraded import Degraded
from loaders import comments, follows, likes, lists, posts
from loaders.lists import ListPage
from loaders.loader import Loader
from loaders.shared import SharedLoaders
from state import State
from store.lists import Item


class ListLoaders:
    """Pages of any lists, by (list, place to go on from, how many)."""

    def __init__(self, state: State, shared: SharedLoaders, degraded: Degraded) -> None:
        self._state = state
        self._shared = shared
        self._degraded = degraded

    @cached_property
    def newest_comments(self) -> Loader[ListPage, list[Item]]:
        """Pages of a subject's root comments that everybody finds."""
        return Loader(partial(lists.read_each, self._state.cache, comments.newest(self._state)))

    @cached_property
    def hot_comments(self) -> Loader[ListPage, list[Item]]:
        """Pages of a subject's hottest root comments, by how hot they are."""
        return Loader(partial(lists.read_each, self._state.cache, comments.hot(self._state)))

    @cached_property
    def oldest_comments(self) -> Loader[ListPage, list[Item]]:
        """The same by mirrored moments, the oldest first."""
        return Loader(partial(lists.read_each, self._state.cache, comments.oldest(self._state)))

    @cached_property
    def replies(self) -> Loader[ListPage, list[Item]]:
        """Pages of a root comment's replies that everybody finds, by mirrored moments, the oldest first."""
        return Loader(partial(lists.read_each, self._state.cache, comments.replies(self._state, self._shared.comments)))

    @cached_property
    def outboxes(self) -> Loader[ListPage, list[Item]]:
        """Pages of what everybody may see of an author's posts."""
        return Loader(partial(lists.read_each, self._state.cache, posts.outboxes(self._state)))

    @cached_property
    def square(self) -> Loader[ListPage, list[Item]]:
        """Pages of what everybody may see of anybody's posts."""
        return Loader(partial(lists.read_each, self._state.cache, posts.square(self._state)))

    @cached_property
    def under(self) -> Loader[ListPage, list[Item]]:
        """Pages of what everybody may see under a topic."""
        return Loader(partial(lists.read_each, self._state.cache, posts.under(self._state)))

    @cached_property
    def hot(self) -> Loader[ListPage, list[Item]]:
        """Pages of the hottest that everybody may see under a topic, or of the square."""
        return Loader(partial(lists.read_each, self._state.cache, posts.hot(self._state)))

    @cached_property
    def followers(self) -> Loader[ListPage, list[Item]]:
        """Pages of who follows a user."""
        return Loader(partial(lists.read_each, self._state.cache, follows.followers(self._state)))

    @cached_property
    def friends(self) -> Loader[ListPage, list[Item]]:
        """Pages of who follows a user and is followed back."""
        return Loader(partial(lists.read_each, self._state.cache, follows.friends(self._state)))

    @cached_property
    def following(self) -> Loader[ListPage, list[Item]]:
        """Pages of whom a user follows."""
        return Loader(partial(follows.following, self._state, self._degraded))

    @cached_property
    def likers(self) -> Loader[ListPage, list[Item]]:
        """Pages of the users who like an entity."""
        return Loader(partial(lists.read_each, self._state.cache, likes.likers(self._state)))
