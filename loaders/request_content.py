"""The loaders of one request that read users, posts and comments as the viewer of the request may see them."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import cached_property, partial
from operator import attrgetter
from typing import Any

from domain.degraded import Degraded
from domain.errors import Unavailable
from domain.ids import CommentId, PostId
from loaders.boundaries import ViewerBoundaries
from loaders.hints import AllHints
from loaders.loader import Loader
from loaders.outcomes import all_of
from loaders.own_sets import states_of
from loaders.patched import Patched
from loaders.pending import ActorsPending
from loaders.read_through import ReadThrough
from loaders.removed import unless_removed, without_removed
from loaders.request_lists import ListLoaders
from loaders.shared import SharedLoaders
from loaders.visibility import Content, HiddenUsers, Visibility, without_hidden
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.follows import FollowState
from models.posts import PostRow
from models.users import UserRow
from settings import USERS
from state import State
from store.content.comments import Hidden
from store.content.entities import EntityKey
from store.content.patches import Patches
from store.write_log.pending import FOLLOW

_NO_USERS: frozenset[int] = frozenset()
_FOLLOWS = tuple(FollowState)


class ContentLoaders(ListLoaders):
    """The loaders of users, posts and comments. They apply blocks, mutes, suspensions and private accounts."""

    def __init__(
        self,
        state: State,
        shared: SharedLoaders,
        degraded: Degraded,
        viewer_id: int | None,
        actor_id: int | None,
        *,
        moderates: Collection[str] = (),
        businesses: Collection[str] | None = None,
        bypass_local_cache: bool = False,
    ) -> None:
        """Makes the loaders. `moderates` are the businesses that the viewer moderates. `businesses` are those that a
        restricted token allows: private data of the viewer in other businesses is not read. `bypass_local_cache` is set
        after a mutation, so that no answer comes from an older local copy.
        """
        super().__init__(state, shared, degraded, viewer_id, local=not bypass_local_cache)
        self._viewer_id = viewer_id
        self._actor_id = actor_id
        self._moderates = moderates
        self._businesses = businesses
        self._pending = ActorsPending(state, actor_id)
        self.boundaries = ViewerBoundaries(state, viewer_id)
        # Moderators see the decisions of other moderators as soon as they are published.
        self._patched = Patched(state, viewer_id, local=self._local and not moderates)

    def _loader(self, name: str, source: ReadThrough[Any, Any]) -> Loader[Any, Any]:
        return Loader(name, partial(source.get_each, local=self._local))

    @cached_property
    def entities(self) -> Loader[EntityKey, EntityRow | None]:
        """Loads entities by business id and key, or None for a removed entity."""
        return Loader("entities", partial(unless_removed, self.kept_entities))

    @cached_property
    def entities_by_id(self) -> Loader[EntityRef, EntityRow | None]:
        """Loads entities by business id and internal id, or None for a removed entity."""
        return Loader("entities_by_id", partial(unless_removed, self.kept_entities_by_id))

    @cached_property
    def kept_entities(self) -> Loader[EntityKey, EntityRow | None]:
        """Loads entities by business id and key, including removed entities."""
        return Loader("kept_entities", self._kept_entities)

    @cached_property
    def kept_entities_by_id(self) -> Loader[EntityRef, EntityRow | None]:
        """Loads entities by business id and internal id, including removed entities."""
        return self._loader("kept_entities_by_id", self._shared.entities_by_id)

    @cached_property
    def users(self) -> Loader[int, UserRow | None]:
        """Loads users by id, or None for a user who is hidden from the viewer by a block or a suspension."""
        if self._moderates_users:
            return self.kept_users
        return Loader("users", self._unhidden_users, beside=self._kept_beside)

    @cached_property
    def kept_users(self) -> Loader[int, UserRow | None]:
        """Loads users by id, including users who are hidden from the viewer."""
        return Loader("kept_users", self._kept_users)

    @cached_property
    def likers_shown(self) -> Loader[int, UserRow | None]:
        """Loads users for lists of likers, by id: None also for a private user that the viewer does not follow."""
        if self._moderates_users:
            return self.kept_users
        return Loader("likers_shown", self._unhidden_authors, beside=self._kept_beside)

    @cached_property
    def visibility(self) -> Visibility:
        """Returns the rules for what the viewer sees of other users."""
        return self._visibility(self._viewer_id, self.boundaries)

    @cached_property
    def _public_visibility(self) -> Visibility:
        """Returns the rules for what an anonymous client sees of users."""
        return self._visibility(None, ViewerBoundaries(self._state, None))

    def _visibility(self, viewer_id: int | None, boundaries: ViewerBoundaries) -> Visibility:
        profiles = self.kept_users, self.users
        rows = self.follows, self.kept_comments
        return Visibility(self._state, viewer_id, boundaries, *profiles, *rows)

    def visibility_in(self, business: str | None) -> Visibility:
        """Returns the rules for a business, or with None for data of the whole account. They are those of an anonymous
        client if the token is for other businesses.
        """
        return self.visibility if self._allows(business) else self._public_visibility

    def _allows(self, business: str | None) -> bool:
        """Returns whether the token shows data of the viewer in a business, or with None, data of the account."""
        return self._businesses is None or business in self._businesses

    @property
    def _moderates_users(self) -> bool:
        """Returns whether the viewer moderates users. Users belong to no business, so restricted moderators do not."""
        return bool(self._moderates) and self._businesses is None

    @cached_property
    def posts(self) -> Loader[int, PostRow | None]:
        """Loads posts by id, or None for a post that the viewer may not see. Applies the viewer's own unpublished
        changes.
        """
        return Loader("posts", self._posts, beside=self._authors_beside)

    @cached_property
    def kept_posts(self) -> Loader[int, PostRow | None]:
        """Loads posts by id, including deleted and hidden posts. Applies the viewer's own unpublished changes."""
        return Loader("kept_posts", self._kept_posts)

    @cached_property
    def comments(self) -> Loader[int, CommentRow | None]:
        """Loads comments by id, or None if the viewer may not see the comment or its post, or if its entity was
        removed. Applies the viewer's own unpublished changes.
        """
        return Loader("comments", self._comments, beside=self._comments_beside)

    @cached_property
    def kept_comments(self) -> Loader[int, CommentRow | None]:
        """Loads comments by id, including deleted and hidden comments. Applies the viewer's own unpublished changes."""
        return Loader("kept_comments", self._kept_comments)

    @cached_property
    def hidden_comments(self) -> Loader[int, tuple[Hidden, ...]]:
        """Loads an author's newest hidden comments as stored, by the author's id. Unpublished changes
        are not applied.
        """
        return self._loader("hidden_comments", self._shared.hidden_comments)

    @cached_property
    def topics(self) -> Loader[str, str | None]:
        """Loads the names of topics by key, or None for a topic that does not exist."""
        return self._loader("topics", self._shared.topics)

    @cached_property
    def follows(self) -> Loader[int, FollowState]:
        """Loads whether the viewer follows users or has asked to, by user id. The viewer must be signed in."""
        return Loader("follows", self._follows)

    @property
    def hints(self) -> AllHints:
        """Returns what the process remembers of pins and policies."""
        return self._shared.hints

    @cached_property
    def handles(self) -> Loader[str, int | None]:
        """Loads user ids by handle."""
        return self._loader("handles", self._shared.handles)

    async def closed_among(self, users: Sequence[UserRow]) -> Collection[int]:
        """Returns the users whose lists are empty for the viewer, because their posts, likes and lists are hidden.
        Raises Unavailable if that cannot be read.
        """
        if self._moderates_users:
            return ()
        hidden = await self.visibility_in(None).hidden_authors(user.user_id for user in users)
        if error := next(filter(None, hidden.values()), None):
            raise error
        return hidden.keys()

    async def patches_in(self, business: str) -> Patches:
        """Returns the viewer's unpublished changes, to read those of a business: none if the token is for other
        businesses. Raises RedisDown if they cannot be read.
        """
        return await self._patched_in(business).patches()

    def _patched_in(self, business: str) -> Patched:
        return self._patched if self._allows(business) else Patched(self._state, None, local=self._local)

    def ask_for_own_comments(self) -> None:
        """Starts to read the viewer's own unpublished and hidden comments, in the same round trip as lists of
        comments.
        """
        if self._viewer_id is not None and self._allows(CommentId.business):
            self._patched.ask(self._viewer_id)
            self.hidden_comments.ask([self._viewer_id])

    def _viewer_in(self, business: str) -> int | None:
        """Returns the viewer's id if the token allows this business. Otherwise returns None, so that no private data of
        the viewer in this business is read.
        """
        return self._viewer_id if self._allows(business) else None

    async def _unhidden_users(self, ids: Sequence[int]) -> Sequence[UserRow | Exception | None]:
        return await self._users_unless(self.visibility_in(None).hidden_users, ids)

    async def _unhidden_authors(self, ids: Sequence[int]) -> Sequence[UserRow | Exception | None]:
        return await self._users_unless(self.visibility_in(None).hidden_authors, ids)

    async def _users_unless(
        self, hidden_among: Callable[[Iterable[int]], Awaitable[HiddenUsers]], ids: Sequence[int]
    ) -> Sequence[UserRow | Exception | None]:
        """Returns users, with None or an error in place of those that `hidden_among` returns."""
        self.boundaries.ask()
        hidden = await hidden_among(ids)
        rows = await self.kept_users.ask(ids, each=True)
        return [hidden[id_] if row and id_ in hidden else row for id_, row in zip(ids, rows, strict=True)]

    async def _kept_users(self, ids: Sequence[int]) -> Sequence[UserRow | Unavailable | None]:
        return await self._shared.users.get_each(ids, local=self._local, fresh=(self._viewer_id,))

    def _kept_beside(self, ids: Sequence[int]) -> None:
        self.kept_users.ask(ids)

    def _authors_beside(self, ids: Sequence[int]) -> None:
        """Starts to read the profiles of the authors of posts or comments, if this process remembers all authors."""
        if not self._moderates_users and (authors := self._shared.authors.of_all(ids)):
            self.kept_users.ask([*authors])

    def _comments_beside(self, ids: Sequence[int]) -> None:
        """Starts to read the authors of comments, and the entities that the comments are known to be about."""
        self._authors_beside(ids)
        if entities := self._shared.commented.of(ids):
            self.kept_entities_by_id.ask([*entities])

    async def _kept_entities(self, keys: Sequence[EntityKey]) -> Sequence[EntityRow | Unavailable | None]:
        rows = await self._shared.entities.get_each(keys, local=self._local)
        self.kept_entities_by_id.prime_all((row.ref, row) for row in rows if isinstance(row, EntityRow))
        return rows

    async def _posts(self, ids: Sequence[int]) -> Sequence[PostRow | Exception | None]:
        self.boundaries.ask()
        return await self._visible(await self._kept_posts(ids))

    async def _visible(self, posts: Sequence[PostRow | Unavailable | None]) -> Sequence[PostRow | Exception | None]:
        viewer, moderates = self._viewer_in(PostId.business), PostId.business in self._moderates
        visible = [
            None if isinstance(row, PostRow) and not row.is_visible_to(viewer, moderates=moderates) else row
            for row in posts
        ]
        if moderates:
            return visible
        authors = {row.post_id: row.author_id for row in visible if isinstance(row, PostRow)}
        self._shared.authors.remember(authors)
        hidden = await self.visibility_in(PostId.business).hidden_authors(authors.values())
        return without_hidden(visible, hidden)

    async def feed_posts(self, ids: Sequence[int]) -> Sequence[PostRow | None]:
        """Returns posts for a list with several authors: as `posts` does, without the posts of muted authors. None is
        in the place of each post that is left out.
        """
        return await self.unmuted(await self.posts.load_many(ids))

    async def feed_comments(self, ids: Sequence[int]) -> Sequence[CommentRow | None]:
        """Returns comments for a list: as `comments` does, without the comments of muted authors. None or a placeholder
        is in the place of each comment that is left out.
        """
        return await self.unmuted(await self.comments.load_many(ids))

    async def unmuted(self, rows: Sequence[Content]) -> Sequence[Content | None]:
        """Applies the rule for mutes to rows. Posts and comments of muted authors are replaced by None or by a
        placeholder. Raises Unavailable if mutes cannot be read.
        """
        authors = set(map(self._mutable_author, rows)) - {self._viewer_id, 0}
        muted = await self.boundaries.muted_among(authors) if authors else _NO_USERS
        if not muted:
            return rows
        return [
            (row.masked if isinstance(row, CommentRow) and row.answered else None)
            if self._mutable_author(row) in muted
            else row
            for row in rows
        ]

    def _mutable_author(self, row: Content) -> int:
        """Returns the author of a row to whom the viewer's mutes apply, or 0."""
        return row.author_id if isinstance(row, PostRow | CommentRow) and self._allows(row.business) else 0

    async def _kept_posts(self, ids: Sequence[int]) -> Sequence[PostRow | Unavailable | None]:
        return await self._patched_in(PostId.business).rows(self._shared.posts, attrgetter("posts"), ids)

    async def _comments(self, ids: Sequence[int]) -> Sequence[CommentRow | Exception | None]:
        viewer, moderates = self._viewer_in(CommentId.business), CommentId.business in self._moderates
        self.boundaries.ask()
        rows = await self._kept_comments(ids)
        seen = [row.seen_by(viewer, moderates=moderates) if isinstance(row, CommentRow) else row for row in rows]
        if moderates:
            return seen
        authors = {row.comment_id: row.author_id for row in seen if isinstance(row, CommentRow)}
        self._shared.authors.remember(authors)
        entities = self._shared.commented.remember(row for row in seen if isinstance(row, CommentRow))
        self.kept_entities_by_id.ask([*entities])  # in the round trip of the profiles
        hidden = await self.visibility_in(CommentId.business).hidden_users(authors.values())
        shown = await without_removed(self.kept_entities_by_id, entities, without_hidden(seen, hidden))
        return await self._of_visible_posts(shown)

    async def _of_visible_posts(
        self, comments: Sequence[CommentRow | Exception | None]
    ) -> Sequence[CommentRow | Exception | None]:
        """Returns the comments, with None in place of each comment on a post that the viewer may not see, and an
        exception in place of each comment on a post that cannot be read.
        """
        posts = await self.posts_of(row for row in comments if isinstance(row, CommentRow))
        if not posts:
            return comments

        def seen(row: CommentRow | Exception | None) -> CommentRow | Exception | None:
            if not isinstance(row, CommentRow) or row.post_id is None:
                return row
            post = posts[row.post_id]
            return row if isinstance(post, PostRow) else post

        return list(map(seen, comments))

    async def posts_of(self, comments: Iterable[CommentRow]) -> dict[int, PostRow | Exception | None]:
        """Returns the posts that comments are about, by id: None for a post that the viewer may not see, and an
        exception for a post that cannot be read.
        """
        ids = {post_id for comment in comments if (post_id := comment.post_id)}
        if not ids:
            return {}
        posts = dict(zip(ids, await self.posts.ask([*ids], each=True), strict=True))
        if unseen := [id_ for id_, post in posts.items() if post is None]:
            # A post with a comment exists. The cache may deny it if a worker could not reach the cache.
            rows = await self._shared.posts.get_each(unseen, local=False)
            posts |= zip(unseen, await self._visible(rows), strict=True)
        return posts

    async def _kept_comments(self, ids: Sequence[int]) -> Sequence[CommentRow | Unavailable | None]:
        return await self._patched_in(CommentId.business).rows(self._shared.comments, attrgetter("comments"), ids)

    async def _follows(self, users: Sequence[int]) -> list[FollowState]:
        assert self._viewer_id is not None
        pending = self._pending.ask_for_follows()
        refs = [EntityRef(USERS, user) for user in users]
        states = await states_of(FOLLOW, self._state, self._viewer_id, pending, refs)
        return [_FOLLOWS[one] for one in all_of(states)]
