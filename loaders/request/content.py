"""Users, entities, posts, comments and topics as the viewer of one request may see them: without what blocks,
suspensions, private accounts and removals hide, and with the viewer's own unpublished changes.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from functools import cached_property, partial
from operator import attrgetter

from loaders import collections, likes
from loaders.boundaries import ViewerBoundaries
from loaders.collections import UserCollections
from loaders.loader import Each, Loader, loads
from loaders.removed import unless_removed, without_removed
from loaders.request.lists import Lists
from loaders.request.own import Own
from loaders.request.reader import Reader
from loaders.shared import SharedLoaders
from loaders.visibility import HiddenUsers, Row, Visibility, without_hidden
from models.comment_settings import CommentSettings, SubjectKey
from models.comments import CommentRow
from models.counters import EntityRef
from models.entities import EntityRow
from models.patches import CommentSettingsPatch, Patches
from models.pinned_posts import PinnedPosts
from models.posts import PostRow
from models.users import UserRow
from settings import COMMENTS, POSTS, USERS
from state import State
from store.content.entities import EntityKey


class Content:
    """The loaders of users, entities, posts, comments and topics. Loaders whose name begins with `kept` also load what
    was deleted, and what is hidden from the viewer.
    """

    def __init__(
        self, state: State, shared: SharedLoaders, reader: Reader, lists: Lists, own: Own, *, local: bool
    ) -> None:
        """Makes the loaders. Without `local`, no value comes from the local cache."""
        self._state = state
        self._shared = shared
        self._reader = reader
        self._lists = lists
        self._own = own
        self._local = local
        self.memories = shared.memories

    @cached_property
    def entities(self) -> Loader[EntityKey, EntityRow | None]:
        """Loads entities by business id and key, or None for a removed entity."""
        return Loader("entities", partial(unless_removed, self.kept_entities))

    @cached_property
    def entities_by_id(self) -> Loader[EntityRef, EntityRow | None]:
        """Loads entities by business id and internal id, or None for a removed entity."""
        return Loader("entities_by_id", partial(unless_removed, self.kept_entities_by_id))

    @loads
    async def kept_entities(self, keys: Sequence[EntityKey]) -> Each[EntityRow | None]:
        """Loads entities by business id and key, including removed entities."""
        rows = await self._shared.entities.get_each(keys, local=self._local)
        self.kept_entities_by_id.prime_all((row.ref, row) for row in rows if isinstance(row, EntityRow))
        return rows

    @loads
    async def kept_entities_by_id(self, refs: Sequence[EntityRef]) -> Each[EntityRow | None]:
        """Loads entities by business id and internal id, including removed entities."""
        return await self._shared.entities_by_id.get_each(refs, local=self._local)

    @loads
    async def topics(self, keys: Sequence[str]) -> Each[str | None]:
        """Loads the names of topics by key, or None for a topic that does not exist."""
        return await self._shared.topics.get_each(keys, local=self._local)

    @cached_property
    def users(self) -> Loader[int, UserRow | None]:
        """Loads users by id, or None for a user who is hidden from the viewer by a block or a suspension."""
        return self._users("users", lambda ids: self.visibility_in(USERS).hidden_users(ids))

    @cached_property
    def likers_shown(self) -> Loader[int, UserRow | None]:
        """Loads users for lists of likers, by id: None also for a private user that the viewer does not follow."""
        return self._users("likers_shown", lambda ids: self.visibility_in(USERS).hidden_authors(ids))

    @loads
    async def kept_users(self, ids: Sequence[int]) -> Each[UserRow | None]:
        """Loads users by id, including users who are hidden from the viewer."""
        return await self._shared.users.get_each(ids, local=self._local, fresh=(self._reader.viewer_id,))

    @loads
    async def handles(self, handles: Sequence[str]) -> Each[int | None]:
        """Loads user ids by handle."""
        return await self._shared.handles.get_each(handles, local=self._local)

    @loads
    async def public_collections(self, users: Sequence[int]) -> Each[UserCollections]:
        """Loads the public collections of users, newest first, by user id: none of a user whose lists are hidden from
        the viewer.
        """
        self._own.collections.ask(users)
        return await collections.public(self._own.collections, await self._closed(users), users)

    @loads
    async def pinned_posts(self, users: Sequence[int]) -> Each[PinnedPosts]:
        """Loads the posts that users have pinned, by user id."""
        return await self._own.patched_in(POSTS).documents(self._shared.pinned_posts, attrgetter("pins"), users)

    @loads
    async def liked_by_followed(self, wanted: Sequence[tuple[EntityRef, int]]) -> Each[list[UserRow] | None]:
        """Loads the users that the viewer follows among an entity's newest likers, by entity and maximum number of
        users. Loads None if no user is signed in.
        """
        if self._reader.viewer_id is None:
            return [None] * len(wanted)
        return await likes.by_followed(self._state, self._lists.likers, self._own.follows, self.users, wanted)

    async def closed_among(self, users: Sequence[UserRow]) -> Collection[int]:
        """Returns the users whose lists are empty for the viewer, because their posts, likes and lists are hidden.
        Raises Unavailable if that cannot be read.
        """
        hidden = await self._closed(user.user_id for user in users)
        if error := next(filter(None, hidden.values()), None):
            raise error
        return hidden.keys()

    async def _closed(self, users: Iterable[int]) -> HiddenUsers:
        return {} if self._reader.moderates_users else await self.visibility_in(USERS).hidden_authors(users)

    def _users(
        self, name: str, hidden_among: Callable[[Iterable[int]], Awaitable[HiddenUsers]]
    ) -> Loader[int, UserRow | None]:
        """Returns a loader of users, with None or an error in place of those that `hidden_among` returns."""
        if self._reader.moderates_users:
            return self.kept_users

        async def shown(ids: Sequence[int]) -> Each[UserRow | None]:
            self._own.boundaries.ask()
            hidden = await hidden_among(ids)
            rows = await self.kept_users.ask(ids, each=True)
            return [hidden[id_] if row and id_ in hidden else row for id_, row in zip(ids, rows, strict=True)]

        return Loader(name, shown, beside=self.kept_users.ask)

    @cached_property
    def visibility(self) -> Visibility:
        """Returns the rules for what the viewer sees of other users."""
        return self._visibility(self._reader.viewer_id, self._own.boundaries)

    @cached_property
    def _public_visibility(self) -> Visibility:
        """Returns the rules for what an anonymous client sees of users."""
        return self._visibility(None, ViewerBoundaries(self._state, None))

    def _visibility(self, viewer_id: int | None, boundaries: ViewerBoundaries) -> Visibility:
        profiles = self.kept_users, self.users
        return Visibility(self._state, viewer_id, boundaries, *profiles, self._own.follows, self.kept_comments)

    def visibility_in(self, business_id: int) -> Visibility:
        """Returns the rules for data of a business. They are those of an anonymous client if the token is for other
        businesses.
        """
        return self.visibility if self._reader.is_for(business_id) else self._public_visibility

    async def unmuted(self, rows: Sequence[Row]) -> Sequence[Row | None]:
        """Applies the rule for mutes to rows. Posts and comments of muted authors are replaced by None or by a
        placeholder. Raises Unavailable if mutes cannot be read.
        """
        authors = set(map(self._mutable_author, rows)) - {self._reader.viewer_id, 0}
        muted = await self._own.boundaries.muted_among(authors) if authors else ()
        if not muted:
            return rows
        return [
            (row.masked if isinstance(row, CommentRow) and row.answered else None)
            if self._mutable_author(row) in muted
            else row
            for row in rows
        ]

    def _mutable_author(self, row: Row) -> int:
        """Returns the author of a post or comment if the viewer's mutes apply to the row; otherwise 0."""
        return row.author_id if isinstance(row, PostRow | CommentRow) and self._reader.is_for(row.business_id) else 0

    @cached_property
    def posts(self) -> Loader[int, PostRow | None]:
        """Loads posts by id, or None for a post that the viewer may not see."""
        return Loader("posts", self._posts, beside=self._ask_for_authors)

    @loads
    async def kept_posts(self, ids: Sequence[int]) -> Each[PostRow | None]:
        """Loads posts by id, including deleted and hidden posts."""
        return await self._kept_posts(ids)

    async def feed_posts(self, ids: Sequence[int]) -> Sequence[PostRow | None]:
        """Returns posts for a list with several authors: as `posts` does, without the posts of muted authors. None is
        in the place of each post that is left out.
        """
        return await self.unmuted(await self.posts.load_many(ids))

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

    async def _posts(self, ids: Sequence[int]) -> Each[PostRow | None]:
        self._own.boundaries.ask()
        return await self._visible(await self._kept_posts(ids))

    async def _kept_posts(self, ids: Sequence[int]) -> Each[PostRow | None]:
        return await self._own.patched_in(POSTS).rows(self._shared.posts, attrgetter("posts"), ids)

    async def _visible(self, posts: Each[PostRow | None]) -> Each[PostRow | None]:
        viewer, moderates = self._reader.viewer_in(POSTS), POSTS in self._reader.moderates
        visible = [
            None if isinstance(row, PostRow) and not row.is_visible_to(viewer, moderates=moderates) else row
            for row in posts
        ]
        if moderates:
            return visible
        authors = {row.post_id: row.author_id for row in visible if isinstance(row, PostRow)}
        self.memories.authors.remember(authors)
        hidden = await self.visibility_in(POSTS).hidden_authors(authors.values())
        return without_hidden(visible, hidden)

    def _ask_for_authors(self, ids: Sequence[int]) -> None:
        """Starts to read the profiles of the authors of posts or comments, if this process remembers all authors:
        otherwise a second read would be needed anyway.
        """
        if not self._reader.moderates_users and (authors := {*self.memories.authors.of_all(ids)} - {0}):
            self.kept_users.ask([*authors])

    @cached_property
    def comments(self) -> Loader[int, CommentRow | None]:
        """Loads comments by id, or None if the viewer may not see the comment or its post, or if its entity was
        removed.
        """
        return Loader("comments", self._comments, beside=self._ask_for_contexts)

    @loads
    async def kept_comments(self, ids: Sequence[int]) -> Each[CommentRow | None]:
        """Loads comments by id, including deleted and hidden comments."""
        return await self._kept_comments(ids)

    async def feed_comments(self, ids: Sequence[int]) -> Sequence[CommentRow | None]:
        """Returns comments for a list: as `comments` does, without the comments of muted authors. None or a placeholder
        is in the place of each comment that is left out.
        """
        return await self.unmuted(await self.comments.load_many(ids))

    @loads
    async def comment_settings(self, subjects: Sequence[SubjectKey]) -> Each[CommentSettings]:
        """Loads the settings of comments on posts and entities, by the key of the post or entity."""

        def of(patches: Patches) -> dict[SubjectKey, Sequence[CommentSettingsPatch]]:
            return {key: some for key, some in patches.settings.items() if self._reader.is_for(key[0])}

        return await self._own.patched.documents(self._shared.comment_settings, of, subjects)

    async def _comments(self, ids: Sequence[int]) -> Each[CommentRow | None]:
        viewer, moderates = self._reader.viewer_in(COMMENTS), COMMENTS in self._reader.moderates
        self._own.boundaries.ask()
        rows = await self._kept_comments(ids)
        seen = [row.seen_by(viewer, moderates=moderates) if isinstance(row, CommentRow) else row for row in rows]
        if moderates:
            return seen
        comments = [row for row in seen if isinstance(row, CommentRow)]
        authors = {row.comment_id: row.author_id for row in comments}
        entities = {row.comment_id: row.subject for row in comments if row.post_id is None}
        self.memories.authors.remember(authors)
        self.memories.commented.remember(entities)
        self.kept_entities_by_id.ask([*entities.values()])  # in the round trip of the profiles
        hidden = await self.visibility_in(COMMENTS).hidden_users(authors.values())
        shown = await without_removed(self.kept_entities_by_id, {*entities.values()}, without_hidden(seen, hidden))
        return await self._of_visible_posts(shown)

    async def _kept_comments(self, ids: Sequence[int]) -> Each[CommentRow | None]:
        return await self._own.patched_in(COMMENTS).rows(self._shared.comments, attrgetter("comments"), ids)

    async def _of_visible_posts(self, comments: Each[CommentRow | None]) -> Each[CommentRow | None]:
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

    def _ask_for_contexts(self, ids: Sequence[int]) -> None:
        """Starts to read the authors of comments, and the entities that the comments are known to be about."""
        self._ask_for_authors(ids)
        if entities := self.memories.commented.of(ids):
            self.kept_entities_by_id.ask(entities)
