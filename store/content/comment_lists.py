"""Lists of comments: the root comments of a subject (a post or entity), newest or oldest first, and the replies to a
root comment. Each list can be read from rows, and has a key in the cache.

Cached lists begin with the item of the greatest moment (store/cache/lists.py). A list that begins with the oldest
comment therefore stores mirrored moments (`comments.mirrored`). The lists contain the comments that all users see:
public comments, and deleted or hidden root comments that still have visible replies (tombstones). Cached lists may also
contain comments that are no longer shown; readers leave them out.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

from sqlalchemy import text

from models.comments import CommentRow, CommentState
from models.counters import EntityRef
from store import keys
from store.cache import lists
from store.cache.lists import Item
from store.cache.values import Cache
from store.content import items
from store.content.comments import mirrored
from store.groups import grouped
from store.postgres.client import Postgres

_OF = f"""
    FROM comments WHERE subject_business = :business AND subject_id = :entity AND root_id = :root
      AND state = {CommentState.VISIBLE:d}
"""
_NEWEST = text(f"""
    SELECT moment, comment_id {_OF} AND (moment, comment_id) < (:moment, :member)
    ORDER BY moment DESC, comment_id DESC LIMIT :count
""")
_OLDEST = text(f"""
    SELECT moment, comment_id {_OF} AND moment >= :moment AND (moment > :moment OR comment_id < :member)
    ORDER BY moment, comment_id DESC LIMIT :count
""")


async def newest(postgres: Postgres, subject: EntityRef, before: Item | None, count: int) -> list[Item]:
    """Reads from Postgres up to `count` root comments of a subject (a post or entity), newest first: those older than
    `before` (None: the newest). Items are (moment, comment id).
    """
    of = {"business": subject.business_id, "entity": subject.entity_id, "root": 0}
    return await items.page(postgres, _NEWEST, before, count, **of)


async def oldest(
    postgres: Postgres, subject: EntityRef, before: Item | None, count: int, root_id: int = 0
) -> list[Item]:
    """Reads from Postgres up to `count` comments, oldest first: those that come after `before` (None: the oldest). They
    are root comments of a subject (a post or entity), or replies to its root comment `root_id` if that is not 0. Items
    are (mirrored moment, comment id); see `comments.mirrored`.
    """
    start = Item(mirrored(before.score), before.member) if before else Item(0, 0)
    of = {"business": subject.business_id, "entity": subject.entity_id, "root": root_id}
    page = await items.page(postgres, _OLDEST, start, count, **of)
    return [Item(mirrored(moment), comment_id) for moment, comment_id in page]


newest_key = keys.comments
"""Returns the key of the cached list of a subject's root comments, newest first."""

oldest_key = keys.oldest_comments
"""Returns the key of the cached list of a subject's root comments, oldest first."""


def replies_key(root: EntityRef) -> str:
    """Returns the key of the cached list of the replies to a root comment."""
    return keys.replies(root.entity_id)


async def publish(cache: Cache, rows: Iterable[CommentRow], *, cap: int) -> None:
    """Adds comments that all users see to those of their lists that are cached, and removes deleted replies. `cap` is
    how many items a list keeps (details: `lists.publish`). Raises RedisDown.
    """
    await lists.publish(cache, grouped(chain.from_iterable(map(_places, rows))).items(), cap=cap)


def _places(row: CommentRow) -> Iterator[tuple[str, Item]]:
    """Yields (list key, item) for each list that contains a comment now; for a deleted reply, an item that removes it
    from its list.

    Yields nothing for other comments that are not public: they stay in their lists, because they may be approved again
    or get a reply. Readers of the lists leave them out.
    """
    if row.root_id is not None:
        if row.is_public or row.deleted:
            moment = -mirrored(0) if row.deleted else mirrored(row.moment)
            yield keys.replies(row.root_id), Item(moment, row.comment_id)
    elif row.state is CommentState.VISIBLE:
        yield keys.comments(row.subject), Item(row.moment, row.comment_id)
        yield keys.oldest_comments(row.subject), Item(mirrored(row.moment), row.comment_id)
