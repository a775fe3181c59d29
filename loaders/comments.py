"""How lists of comments are cached and read: the root comments of a post or entity, and the replies to a root comment.

A list may contain comments that were deleted or rejected after it was cached. Resolvers load each comment and leave
these out.
"""

from loaders.lists import ListKind
from loaders.read_through import ReadThrough
from models.comments import CommentRow
from models.counters import EntityRef
from state import State
from store.cache.lists import Item
from store.content import comment_lists, hot_comments
from store.content.hot import LIFE_MS
from store.postgres.client import Postgres

_FILLS = 100


def _cap(state: State, _: EntityRef) -> int:
    return state.settings.caches.comments


NEWEST = ListKind(comment_lists.newest_key, _cap, comment_lists.newest, _FILLS)
"""The root comments of a subject (a post or entity), newest first."""
OLDEST = ListKind(comment_lists.oldest_key, _cap, comment_lists.oldest, _FILLS)
"""The root comments of a subject, oldest first. The items have mirrored moments (the greatest moment minus the moment),
because lists begin with the highest number.
"""
HOT = ListKind(
    hot_comments.list_key, lambda state, _: state.settings.caches.hot_comments, hot_comments.page, life_ms=LIFE_MS
)
"""The hottest root comments of a subject, highest hot score first. Only the hottest are cached; the others are read
from Postgres.
"""


def replies(comments: ReadThrough[int, CommentRow | None]) -> ListKind:
    """Returns the kind of list for the replies to a root comment, oldest first. Its items have mirrored moments, as
    those of OLDEST have.

    Rows of replies are found by the subject of the root comment, so the root comment is loaded first, from `comments`.
    """

    async def truth(postgres: Postgres, root: EntityRef, before: Item | None, count: int) -> list[Item]:
        (row,) = await comments.get_many([root.entity_id])
        return await comment_lists.oldest(postgres, row.subject, before, count, row.comment_id) if row else []

    return ListKind(comment_lists.replies_key, _cap, truth, _FILLS)
