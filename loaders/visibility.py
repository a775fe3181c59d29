"""Applies the rules of `domain/visibility.py` to the users, posts and comments that one request loads."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from domain.errors import Unavailable
from domain.visibility import Facts
from loaders.boundaries import ViewerBoundaries
from loaders.loader import Loader
from models.comments import CommentRow
from models.counters import EntityRef
from models.follows import FollowState
from models.posts import PostRow
from models.users import UserRow
from settings import COMMENTS, FIRST_EXTERNAL, POSTS
from state import State
from store.gather import gather_all

Row = TypeVar("Row")
HiddenUsers = Mapping[int, Exception | None]
"""The ids of users whose profile, posts or other data must not be shown. The value is None if the user is hidden, and
an exception if it cannot be read whether the user is hidden.
"""

_NONE: HiddenUsers = {}


@dataclass(slots=True, eq=False)
class Visibility:
    """Decides, for one request, which users and posts are hidden from the viewer. Callers do not use it for moderators,
    who see everything that they may moderate.
    """

    state: State
    viewer_id: int | None
    boundaries: ViewerBoundaries
    users: Loader[int, UserRow | None]
    """Loads profiles, also hidden ones."""
    shown_users: Loader[int, UserRow | None]
    """Loads only the users that the viewer may see."""
    follows: Loader[int, FollowState]
    """Loads whether the viewer follows users or has asked to."""
    comments: Loader[int, CommentRow | None]
    """Loads comments, also hidden ones."""
    posts: Loader[int, PostRow | None]
    """Loads posts, also hidden ones."""

    async def hidden_users(self, users: Iterable[int]) -> HiddenUsers:
        """Returns the users among `users` whose profile and comments are hidden from the viewer. The value is None, or
        the exception if this cannot be read.
        """
        return await self._hidden(users, posts=False)

    async def hidden_authors(self, users: Iterable[int]) -> HiddenUsers:
        """Returns the users among `users` whose posts, likes and lists are hidden from the viewer. The value is None,
        or the exception if this cannot be read.
        """
        return await self._hidden(users, posts=True)

    async def unwanted_among(self, actors: Collection[int], *, likes: bool = False) -> HiddenUsers:
        """Returns the users among `actors` whom a notification must not name: the user is hidden from the viewer, or
        the viewer mutes the user. The value is None, or the exception if this cannot be read. `likes` says that the
        notifications are about likes: private users whom the viewer does not follow are then returned, too.

        Raises Unavailable if the viewer's blocks and mutes cannot be read.
        """
        self.users.ask([*actors], each=True)
        muted = await self.boundaries.muted_among(actors)
        return {**await self._hidden(actors, posts=likes), **dict.fromkeys(muted)}

    async def silent_among(self, refs: Collection[EntityRef]) -> Collection[EntityRef]:
        """Returns the objects among `refs` that are in a thread that the viewer mutes. A post that announces an entity
        is in the thread of the entity.

        Raises Unavailable if the muted threads, a post or a comment cannot be read.
        """
        muted = (await self.boundaries.get()).threads
        if not muted:
            return ()
        ids = [ref.entity_id for ref in refs if ref.business_id == COMMENTS]
        mutes_entities = any(ref.business_id >= FIRST_EXTERNAL for ref in muted)
        posts = [ref.entity_id for ref in refs if ref.business_id == POSTS and mutes_entities]
        found: Sequence[Sequence[CommentRow | PostRow | None]]
        found = await gather_all(self.comments.ask(ids), self.posts.ask(posts))
        threads = {row.ref: row.threads for rows in found for row in rows if row}
        return {ref for ref in refs if any(thread in muted for thread in threads.get(ref, (ref,)))}

    async def _hidden(self, users: Iterable[int], *, posts: bool) -> HiddenUsers:
        ids = [*{user for user in users if user}]
        if not ids or ids == [self.viewer_id]:
            return _NONE
        asked = self.users.ask(ids, each=True)  # the viewer's own profile too, which the page may show
        try:
            blocked = await self.boundaries.hidden_among(ids)
        except Unavailable as error:
            return {user: error for user in ids if user != self.viewer_id}
        rows = await asked
        if not blocked and all(isinstance(row, UserRow) and row.is_open for row in rows):
            self.shown_users.prime(zip(ids, rows, strict=True))
            return _NONE
        others = {user: row for user, row in zip(ids, rows, strict=True) if user != self.viewer_id}
        return await self._hidden_by_facts(others, blocked, posts=posts)

    async def _hidden_by_facts(
        self, users: Mapping[int, UserRow | Exception | None], blocked: Collection[int], *, posts: bool
    ) -> HiddenUsers:
        now_ms = self.state.now_ms()
        hidden: dict[int, Exception | None] = {}
        private: list[int] = []
        for user, row in users.items():
            is_suspended = isinstance(row, UserRow) and row.is_hidden(now_ms)
            if Facts(is_blocked=user in blocked, is_suspended=is_suspended).hides_user:
                hidden[user] = None
            elif isinstance(row, Exception):
                hidden[user] = row
            elif posts and row and row.is_private:
                private.append(user)
        return {**hidden, **await self._unfollowed(private)} if private else hidden

    async def _unfollowed(self, private: Sequence[int]) -> HiddenUsers:
        """Returns the users among `private`, who are private, whose posts are hidden because the viewer does not follow
        them. The value is None, or the exception if this cannot be read.
        """
        if self.viewer_id is None:
            return dict.fromkeys(private)
        follows = await self.follows.ask(private, each=True)
        hidden: dict[int, Exception | None] = {}
        for user, follow in zip(private, follows, strict=True):
            if isinstance(follow, Exception):
                hidden[user] = follow
            elif Facts(is_private=True, is_followed=follow is FollowState.FOLLOWS).hides_posts:
                hidden[user] = None
        return hidden


def without_hidden(rows: Sequence[Row], hidden: HiddenUsers) -> Sequence[Row | Exception | None]:
    """Returns the rows, with None in place of each post or comment of a hidden author. A comment with public replies
    becomes a tombstone, without text and author. If it cannot be read whether the author is hidden, the exception is in
    the place of the row.
    """

    def seen(row: Row) -> Row | Exception | None:
        if not isinstance(row, (PostRow, CommentRow)) or row.author_id not in hidden:
            return row
        if error := hidden[row.author_id]:
            return error
        return row.masked if isinstance(row, CommentRow) and row.answered else None

    return list(map(seen, rows)) if hidden else rows
