"""The loaders of one request that read lists, page by page: they are the same for everybody who may ask for them."""

from functools import cached_property, partial

from domain.degraded import Degraded
from loaders import comments, follows, likes, lists, posts
from loaders.lists import ListKind, ListPage
from loaders.loader import Loader
from loaders.shared import SharedLoaders
from state import State
from store.cache.lists import Item


class ListLoaders:
    """Pages of any lists, by (list, place to go on from, how many)."""

    def __init__(
        self, state: State, shared: SharedLoaders, degraded: Degraded, viewer_id: int | None, *, local: bool
    ) -> None:
        """Without `local`, no page is this process's own copy."""
        self._state = state
        self._shared = shared
        self._degraded = degraded
        self._local = local
        self._alike = viewer_id is None
        """Whether nothing is added to what everybody finds. What is the viewer's own is, until the list itself has it:
        with a copy from before that, it would be gone for a moment.
        """

    def _pages(self, kind: ListKind, *, local: bool = True) -> Loader[ListPage, list[Item]]:
        return Loader(partial(lists.read_each, self._state.cache, kind, local=local and self._local))

    @cached_property
    def newest_comments(self) -> Loader[ListPage, list[Item]]:
        """Pages of a subject's root comments that everybody finds."""
        return self._pages(comments.newest(self._state), local=self._alike)

    @cached_property
    def hot_comments(self) -> Loader[ListPage, list[Item]]:
        """Pages of a subject's hottest root comments, by how hot they are."""
        return self._pages(comments.hot(self._state), local=self._alike)

    @cached_property
    def oldest_comments(self) -> Loader[ListPage, list[Item]]:
        """The same by mirrored moments, the oldest first."""
        return self._pages(comments.oldest(self._state), local=self._alike)

    @cached_property
    def replies(self) -> Loader[ListPage, list[Item]]:
        """Pages of a root comment's replies that everybody finds, by mirrored moments, the oldest first."""
        return self._pages(comments.replies(self._state, self._shared.comments), local=self._alike)

    @cached_property
    def outboxes(self) -> Loader[ListPage, list[Item]]:
        """Pages of what everybody may see of an author's posts."""
        return self._pages(posts.outboxes(self._state))

    @cached_property
    def square(self) -> Loader[ListPage, list[Item]]:
        """Pages of what everybody may see of anybody's posts."""
        return self._pages(posts.square(self._state))

    @cached_property
    def under(self) -> Loader[ListPage, list[Item]]:
        """Pages of what everybody may see under a topic."""
        return self._pages(posts.under(self._state))

    @cached_property
    def hot(self) -> Loader[ListPage, list[Item]]:
        """Pages of the hottest that everybody may see under a topic, or of the square."""
        return self._pages(posts.hot(self._state), local=self._alike)

    @cached_property
    def followers(self) -> Loader[ListPage, list[Item]]:
        """Pages of who follows a user."""
        return self._pages(follows.followers(self._state))

    @cached_property
    def friends(self) -> Loader[ListPage, list[Item]]:
        """Pages of who follows a user and is followed back."""
        return self._pages(follows.friends(self._state))

    @cached_property
    def following(self) -> Loader[ListPage, list[Item]]:
        """Pages of whom a user follows."""
        return Loader(partial(follows.following, self._state, self._degraded))

    @cached_property
    def likers(self) -> Loader[ListPage, list[Item]]:
        """Pages of the users who like an entity."""
        return self._pages(likes.likers(self._state))
