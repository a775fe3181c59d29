"""Loads pages of lists that are equal for all viewers."""

from collections.abc import Sequence
from functools import cached_property, partial

from loaders import comments, follows, likes, lists, posts, reposts, saves
from loaders.lists import ListKind, ListPage
from loaders.loader import Each, Loader, loads
from loaders.reposts import Repost
from loaders.request.reader import RequestLoaders
from loaders.saves import CachedSaves, OlderSaves
from store.cache.lists import Item
from store.reactions.saves import SavesPage


class _Pages(cached_property[Loader[ListPage, list[Item]]]):
    """An attribute of `Lists` that loads pages of one kind of list."""

    def __init__(self, kind: ListKind, *, has_own_items: bool = False) -> None:
        """Makes the attribute. `has_own_items` says that the viewer's own new items are added to the pages until the
        cached list in Redis contains them. Such a list comes from the local cache only if no user is signed in: a local
        copy may be older, and would lack these items for a moment.
        """

        def loader(lists_: "Lists") -> Loader[ListPage, list[Item]]:
            local = lists_.local and not (has_own_items and lists_.reader.viewer_id is not None)
            read = partial(lists.read_each, lists_.state, kind, local=local)
            return Loader(str(self.attrname), read)

        super().__init__(loader)


class Lists(RequestLoaders):
    """The loaders of list pages. Pages are newest first, unless the loader names another order."""

    newest_comments = _Pages(comments.NEWEST, has_own_items=True)
    """Loads pages of the public root comments of a subject (a post or entity), newest first."""
    hot_comments = _Pages(comments.HOT, has_own_items=True)
    """Loads pages of a subject's hottest root comments, highest hot score first."""
    oldest_comments = _Pages(comments.OLDEST, has_own_items=True)
    """Loads pages of a subject's public root comments, oldest first. The items have mirrored moments (the greatest
    moment minus the moment).
    """
    outboxes = _Pages(posts.OUTBOXES)
    """Loads pages of an author's public posts."""
    square = _Pages(posts.SQUARE)
    """Loads pages of all public posts."""
    under = _Pages(posts.UNDER)
    """Loads pages of a topic's public posts."""
    quotes = _Pages(posts.QUOTES)
    """Loads pages of the public posts that quote a post."""
    hot = _Pages(posts.HOT, has_own_items=True)
    """Loads pages of the hottest public posts of a topic, or of all posts, highest hot score first."""
    followers = _Pages(follows.FOLLOWERS)
    """Loads pages of a user's followers."""
    follow_requests = _Pages(follows.REQUESTS)
    """Loads pages of the users who have asked to follow a user."""
    friends = _Pages(follows.FRIENDS)
    """Loads pages of a user's friends."""
    likers = _Pages(likes.LIKERS)
    """Loads pages of the users who like an entity."""

    reposters = _Pages(reposts.REPOSTERS)
    """Loads pages of the users who repost a post."""

    @loads
    async def standing_reposts(self, wanted: Sequence[Repost]) -> Each[bool]:
        """Loads whether reposts still stand, by user and post."""
        return await reposts.standing(self.state, wanted)

    def reactors(self, kind: int) -> Loader[ListPage, list[Item]]:
        """Returns the loader of pages of the users who have given an entity the kind of reaction with the id `kind`."""
        if kind not in self._reactors:
            read = partial(lists.read_each, self.state, likes.reactors(kind), local=self.local)
            self._reactors[kind] = Loader("reactors", read)
        return self._reactors[kind]

    @cached_property
    def _reactors(self) -> dict[int, Loader[ListPage, list[Item]]]:
        return {}

    @loads
    async def replies(self, pages: Sequence[ListPage]) -> Each[list[Item]]:
        """Loads pages of the public replies to a root comment, oldest first. The items have mirrored moments (the
        greatest moment minus the moment).
        """
        local = self.local and self.reader.viewer_id is None
        return await lists.read_each(self.state, comments.replies(self.shared.comments), pages, local=local)

    @loads
    async def following(self, pages: Sequence[ListPage]) -> Each[list[Item]]:
        """Loads pages of the users that a user follows."""
        return await follows.following(self.state, self.degraded, pages)

    @loads
    async def cached_saves(self, users: Sequence[int]) -> Each[CachedSaves]:
        """Loads all cached saves of users, by user id. `load` raises RedisDown while Redis is down."""
        return await saves.cached_of(self.state, users)

    @loads
    async def older_saves(self, pages: Sequence[SavesPage]) -> Each[OlderSaves]:
        """Loads pages of saves from Postgres, for the part of the list that is not cached. The user's changes that are
        not stored yet are included.
        """
        return await saves.older(self.state, pages)
