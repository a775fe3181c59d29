"""Users, entities, posts, comments and topics as the viewer of one request may see them. What blocks, suspensions,
private accounts and removals hide is left out. The viewer's own changes are included, even if a worker has not stored
them yet.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from loaders import collections, likes, words
from loaders.boundaries import ViewerBoundaries
from loaders.collections import UserCollections
from loaders.labels import ViewerLabels
from loaders.loader import Each, loads
from loaders.request.lists import Lists
from loaders.request.own import Own
from loaders.request.reader import RequestLoaders
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
from store.content.entities import EntityKey


@dataclass(eq=False)
class Content(RequestLoaders):
    """The loaders of users, entities, posts, comments and topics. Loaders whose name begins with `kept` also load what
    was deleted, and what is hidden from the viewer.
    """

    lists: Lists
    own: Own

    @cached_property
    def labels(self) -> ViewerLabels:
        """What labels hide from the viewer."""
        return ViewerLabels(self.state.labels, self.reader, self.own.boundaries, self.kept_users)

    @loads
    async def entities(self, keys: Sequence[EntityKey]) -> Each[EntityRow | None]:
        """Loads entities by business id and key (the entity's id in its business's own system). None for an entity that
        is not registered or was removed, and for one that a label hides from the viewer.
        """
        return await self._shown_entities(self.kept_entities.ask(keys, each=True))

    @loads
    async def entities_by_id(self, refs: Sequence[EntityRef]) -> Each[EntityRow | None]:
        """Loads entities by business id and internal id; None for an entity that does not exist or was removed, and for
        one that a label hides from the viewer.
        """
        return await self._shown_entities(self.kept_entities_by_id.ask(refs, each=True))

    async def _shown_entities(self, asked: Awaitable[Each[EntityRow | None]]) -> Each[EntityRow | None]:
        self.labels.ask()
        rows = _unless_removed(await asked)
        return rows if self.reader.moderates else await self.labels.shown(rows)

    @loads
    async def kept_entities(self, keys: Sequence[EntityKey]) -> Each[EntityRow | None]:
        """Loads entities by business id and key, including removed entities; None for an entity that was never
        registered.
        """
        rows = await self.shared.entities.get_each(keys, local=self.local)
        self.kept_entities_by_id.prime((row.ref, row) for row in rows if isinstance(row, EntityRow))
        return rows

    @loads
    async def kept_entities_by_id(self, refs: Sequence[EntityRef]) -> Each[EntityRow | None]:
        """Loads entities by business id and internal id, including removed entities; None for an entity that does not
        exist.
        """
        return await self.shared.entities_by_id.get_each(refs, local=self.local)

    @loads
    async def topics(self, keys: Sequence[str]) -> Each[str | None]:
        """Loads the names of topics by key, the form that all spellings of a name share. None for a topic that does not
        exist.
        """
        return await self.shared.topics.get_each(keys, local=self.local)

    @loads
    async def users(self, ids: Sequence[int]) -> Each[UserRow | None]:
        """Loads users by id. None for a user who does not exist, or who is hidden from the viewer by a block or a
        suspension.
        """
        return await self._shown(ids, self.visibility_in(USERS).hidden_users)

    @loads
    async def likers_shown(self, ids: Sequence[int]) -> Each[UserRow | None]:
        """Loads users by id, for lists of likers. None for a user who does not exist, who is hidden from the viewer by
        a block or a suspension, or who is private and not followed by the viewer.
        """
        return await self._shown(ids, self.visibility_in(USERS).hidden_authors)

    @loads
    async def kept_users(self, ids: Sequence[int]) -> Each[UserRow | None]:
        """Loads users by id, including users who are hidden from the viewer; None for a user who does not exist."""
        return await self.shared.users.get_each(ids, local=self.local, fresh=(self.reader.viewer_id,))

    @loads
    async def handles(self, handles: Sequence[str]) -> Each[int | None]:
        """Loads user ids by handle; None for a handle that no user has."""
        return await self.shared.handles.get_each(handles, local=self.local)

    @loads
    async def public_collections(self, users: Sequence[int]) -> Each[UserCollections]:
        """Loads the public collections of users, newest first, by user id. There are none for a user whose lists are
        hidden from the viewer.
        """
        self.own.collections.ask(users)
        return await collections.public(self.own.collections, await self._closed(users), users)

    @loads
    async def pinned_posts(self, users: Sequence[int]) -> Each[PinnedPosts]:
        """Loads the ids of the posts that users have pinned, by user id. The posts may be deleted or hidden."""
        return await self.own.patched_in(POSTS).documents(self.shared.pinned_posts, attrgetter("pins"), users)

    @loads
    async def liked_by_followed(self, wanted: Sequence[tuple[EntityRef, int]]) -> Each[list[UserRow] | None]:
        """Loads the users whom the viewer follows among the newest likers of an entity. A key is the entity and the
        maximum number of users. Loads None if no user is signed in.
        """
        if self.reader.viewer_id is None:
            return [None] * len(wanted)
        return await likes.by_followed(self.state, self.lists.likers, self.own.follows, self.users, wanted)

    async def closed_among(self, users: Sequence[UserRow]) -> Collection[int]:
        """Returns the ids of those users whose posts, likes and lists are hidden from the viewer. Their lists must be
        shown as empty. Raises Unavailable if that cannot be read.
        """
        hidden = await self._closed(user.user_id for user in users)
        if error := next(filter(None, hidden.values()), None):
            raise error
        return hidden.keys()

    async def _closed(self, users: Iterable[int]) -> HiddenUsers:
        return {} if self.reader.moderates_users else await self.visibility_in(USERS).hidden_authors(users)

    async def _shown(
        self, ids: Sequence[int], hidden_among: Callable[[Iterable[int]], Awaitable[HiddenUsers]]
    ) -> Each[UserRow | None]:
        """Returns users by id. In place of a user that `hidden_among` returns is None, or the error if it cannot be
        read whether the user is hidden.
        """
        kept = self.kept_users.ask(ids, each=True)
        if self.reader.moderates_users:
            return await kept
        self.own.boundaries.ask()
        hidden = await hidden_among(ids)
        return [hidden[id_] if row and id_ in hidden else row for id_, row in zip(ids, await kept, strict=True)]

    def visibility_in(self, business_id: int | None) -> Visibility:
        """Returns the rules for which other users, and what of them, the viewer sees in data of a business (a kind of
        content) or, if `business_id` is None, in data of the viewer's account. If the token is for other businesses,
        the rules are those of an anonymous client.
        """
        viewer_id, boundaries = self.reader.viewer_id, self.own.boundaries
        if business_id is not None and not self.reader.is_for(business_id):
            viewer_id, boundaries = None, ViewerBoundaries(self.state, None)
        users = self.kept_users, self.users
        return Visibility(
            self.state, viewer_id, boundaries, *users, self.own.follows, self.kept_comments, self.kept_posts
        )

    async def unmuted(self, rows: Sequence[Row]) -> Sequence[Row | None]:
        """Returns posts or comments without those that the viewer does not want to see: the viewer mutes their author
        or a word in them, or hides the post. In the place of such a row is None, or the tombstone (without text and
        author) of a comment that has public replies. Raises Unavailable if this cannot be read.
        """
        others = [
            row
            for row in rows
            if isinstance(row, (PostRow, CommentRow))
            and row.author_id not in (0, self.reader.viewer_id)
            and self.reader.is_for(row.business_id)
        ]
        unwanted = await self.unwanted_among(others) if others else ()
        if not unwanted:
            return rows
        return [
            (row.masked if isinstance(row, CommentRow) and row.answered else None)
            if isinstance(row, (PostRow, CommentRow)) and row.ref in unwanted
            else row
            for row in rows
        ]

    async def unwanted_among(self, rows: Sequence[PostRow | CommentRow]) -> Collection[EntityRef]:
        """Returns the references of those of the posts and comments `rows` of other users that the viewer does not want
        to see: the viewer mutes their author or a word in them, or hides the post. Raises Unavailable if this cannot be
        read.
        """
        boundaries, authors = self.own.boundaries, {row.author_id for row in rows}
        muted, found = await boundaries.muted_among(authors), await boundaries.get()
        unwanted = {
            row.ref
            for row in rows
            if row.author_id in muted or (row.business_id == POSTS and row.entity_id in found.hidden_posts)
        }
        if not found.words:
            return unwanted
        rest = [row for row in rows if row.ref not in unwanted]
        now_ms, follows = self.state.now_ms(), self.own.follows
        return unwanted | await words.muted_among(found.words, rest, self.kept_users, self.posts, follows, now_ms)

    @loads
    async def posts(self, ids: Sequence[int]) -> Each[PostRow | None]:
        """Loads posts by id. None for a post that does not exist, or that the viewer may not see."""
        self.own.boundaries.ask()
        self.labels.ask()
        self._ask_for_authors(ids)
        rows = await self.own.patched_in(POSTS).rows(self.shared.posts, attrgetter("posts"), ids)
        return await self._visible(rows)

    @loads
    async def kept_posts(self, ids: Sequence[int]) -> Each[PostRow | None]:
        """Loads posts by id, including deleted and hidden posts; None for a post that does not exist."""
        return await self.own.patched_in(POSTS).rows(self.shared.posts, attrgetter("posts"), ids)

    async def feed_posts(self, ids: Sequence[int]) -> Sequence[PostRow | None]:
        """Returns posts for a list with several authors, in the order of `ids`. None is in the place of a post that the
        viewer may not see or does not want to see (`unmuted`). Raises the first exception of a post that cannot be
        read.
        """
        return await self.unmuted(await self.posts.ask(ids))

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
            rows = await self.shared.posts.get_each(unseen, local=False)
            posts |= zip(unseen, await self._visible(rows), strict=True)
        return posts

    async def _visible(self, posts: Each[PostRow | None]) -> Each[PostRow | None]:
        viewer, moderates = self.reader.viewer_in(POSTS), POSTS in self.reader.moderates
        visible = [
            row
            if not isinstance(row, PostRow)
            or (
                row.is_visible_to(viewer, moderates=moderates)
                and ((announced := row.announced) is None or self.state.is_in_feeds(announced.business_id))
            )
            else None
            for row in posts
        ]
        if moderates:
            return visible
        authors = {row.post_id: row.author_id for row in visible if isinstance(row, PostRow)}
        self.shared.memories.authors.remember(authors)
        hidden = await self.visibility_in(POSTS).hidden_authors(authors.values())
        return await self.labels.shown(without_hidden(visible, hidden))

    def _ask_for_authors(self, ids: Sequence[int]) -> None:
        """Starts to read the profiles of the authors of posts or comments, if this process remembers the authors of all
        of them. If it does not, the profiles take a second read anyway.
        """
        if not self.reader.moderates_users and (authors := {*self.shared.memories.authors.of_all(ids)} - {0}):
            self.kept_users.ask([*authors])

    @loads
    async def comments(self, ids: Sequence[int]) -> Each[CommentRow | None]:
        """Loads comments by id. The value is None for a comment that does not exist or that the viewer may not see, and
        if the viewer may not see its post, or its entity was removed. A hidden or deleted comment that has public
        replies is a tombstone: it has neither text nor author.
        """
        viewer, moderates = self.reader.viewer_in(COMMENTS), COMMENTS in self.reader.moderates
        self.own.boundaries.ask()
        self.labels.ask()
        self._ask_for_authors(ids)
        if known := self.shared.memories.commented.of(ids):  # the entities that the comments are known to be about
            self.kept_entities_by_id.ask(known)
        rows = await self._kept_comments(ids)
        seen = [row.seen_by(viewer, moderates=moderates) if isinstance(row, CommentRow) else row for row in rows]
        if moderates:
            return seen
        comments = [row for row in seen if isinstance(row, CommentRow)]
        authors = {row.comment_id: row.author_id for row in comments}
        entities = {row.comment_id: row.subject for row in comments if row.post_id is None}
        self.shared.memories.authors.remember(authors)
        self.shared.memories.commented.remember(entities)
        self.kept_entities_by_id.ask([*entities.values()])  # in the round trip of the profiles
        hidden = await self.visibility_in(COMMENTS).hidden_users(authors.values())
        shown = await self.labels.shown(without_hidden(seen, hidden))
        shown = await self._of_kept_entities(shown, {*entities.values()})
        return await self._of_visible_posts(shown)

    @loads
    async def kept_comments(self, ids: Sequence[int]) -> Each[CommentRow | None]:
        """Loads comments by id, including deleted and hidden comments; None for a comment that does not exist."""
        return await self._kept_comments(ids)

    async def feed_comments(self, ids: Sequence[int]) -> Sequence[CommentRow | None]:
        """Returns comments for a list, in the order of `ids`. None is in the place of a comment that the viewer may not
        see or does not want to see (`unmuted`); a tombstone, without text and author, if it has public replies. Raises
        the first exception of a comment that cannot be read.
        """
        return await self.unmuted(await self.comments.ask(ids))

    @loads
    async def comment_settings(self, subjects: Sequence[SubjectKey]) -> Each[CommentSettings]:
        """Loads the settings of the comments on posts and entities, such as who may comment, by the key of the post or
        entity.
        """

        def of(patches: Patches) -> dict[SubjectKey, Sequence[CommentSettingsPatch]]:
            return {key: some for key, some in patches.settings.items() if self.reader.is_for(key[0])}

        return await self.own.patched.documents(self.shared.comment_settings, of, subjects)

    async def _kept_comments(self, ids: Sequence[int]) -> Each[CommentRow | None]:
        return await self.own.patched_in(COMMENTS).rows(self.shared.comments, attrgetter("comments"), ids)

    async def _of_kept_entities(
        self, comments: Each[CommentRow | None], entities: Collection[EntityRef]
    ) -> Each[CommentRow | None]:
        """Returns the comments, with None in place of each comment on a removed entity, or on one that a label hides
        from the viewer, and an exception in place of each comment on an entity that cannot be read. `entities` are the
        entities of the comments.
        """
        refs = list(entities)
        kept = await self.kept_entities_by_id.ask(refs, each=True)
        shown = await self.labels.shown(_unless_removed(kept))
        hidden: dict[EntityRef, Exception | None] = {
            ref: seen if isinstance(seen, Exception) else None
            for ref, row, seen in zip(refs, kept, shown, strict=True)
            if row is not None and not isinstance(seen, EntityRow)
        }
        if not hidden:
            return comments
        return [hidden.get(row.subject, row) if isinstance(row, CommentRow) else row for row in comments]

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


def _unless_removed(rows: Each[EntityRow | None]) -> Each[EntityRow | None]:
    """Returns entities, with None in place of those that their business has removed."""
    return [None if isinstance(row, EntityRow) and row.removed else row for row in rows]
