"""How lists of comments are cached and read: the root comments of a post or entity, and the replies to a root comment.

A list may contain comments that were deleted or rejected since. Resolvers load each comment and leave these out.
"""

from collections.abc import Awaitable, Callable
from functools import partial

from loaders.lists import ListKind
from loaders.read_through import ReadThrough
from models.comments import CommentRow
from models.counters import EntityRef
from state import State
from store.cache.lists import Item
from store.content import comment_lists as rows
from store.content import hot_comments
from store.content.hot import LIFE_MS

_FILLS = 100

Truth = Callable[[EntityRef, Item | None, int], Awaitable[list[Item]]]


def newest(state: State) -> ListKind:
    """Returns the kind of list (`ListKind`) for a subject's root comments, newest first."""
    return _kind(state, rows.newest_key, partial(rows.newest, state.postgres))


def oldest(state: State) -> ListKind:
    """Returns the kind of list for a subject's root comments, oldest first. Its items have mirrored moments."""
    return _kind(state, rows.oldest_key, partial(rows.oldest, state.postgres))


def hot(state: State) -> ListKind:
    """Returns the kind of list for a subject's hottest root comments. The cached list has only the hottest comments;
    further ones are read from rows.
    """
    return ListKind(
        key=hot_comments.list_key,
        cap=lambda _: state.settings.caches.hot_comments,
        truth=partial(hot_comments.page, state.postgres),
        life_ms=LIFE_MS,
    )


def replies(state: State, comments: ReadThrough[int, CommentRow | None]) -> ListKind:
    """Returns the kind of list for the replies to a root comment, oldest first. Its items have mirrored moments.

    Rows of replies contain the subject of the root comment, so the root comment is loaded first.
    """

    async def truth(root: EntityRef, before: Item | None, count: int) -> list[Item]:
        (row,) = await comments.get_many([root.entity_id])
        return await rows.oldest(state.postgres, row.subject, before, count, row.comment_id) if row else []

    return _kind(state, rows.replies_key, truth)


def _kind(state: State, key: Callable[[EntityRef], str], truth: Truth) -> ListKind:
    return ListKind(key=key, cap=lambda _: state.settings.caches.comments, truth=truth, fills=_FILLS)
