"""Lists of comments: the rows and the cached lists of a subject's root comments and of a root comment's replies.

All lists are newest first (store/cache/lists.py). A list that is oldest first stores mirrored moments, so its oldest
item is its "newest". All lists contain what all users see: public comments, and tombstones above replies.
"""

from collections.abc import Iterable

from sqlalchemy import text

from models.comments import CommentRow, CommentState
from models.counters import EntityRef
from store import keys
from store.cache import lists
from store.cache.lists import NEWEST, Item
from store.cache.values import Cache
from store.content.comments import mirrored
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
    """Reads up to `count` root comments of a subject that are older than `before`, newest first."""
    moment, member = before or NEWEST
    rows = await postgres.read(
        _NEWEST,
        business=subject.business_id,
        entity=subject.entity_id,
        root=0,
        moment=moment,
        member=member,
        count=count,
    )
    return [Item(*row) for row in rows]


async def oldest(
    postgres: Postgres, subject: EntityRef, before: Item | None, count: int, root_id: int = 0
) -> list[Item]:
    """Reads up to `count` root comments of a subject, or replies of a root comment, oldest first. The moments are
    mirrored.
    """
    moment, member = before or Item(mirrored(0), 0)
    rows = await postgres.read(
        _OLDEST,
        business=subject.business_id,
        entity=subject.entity_id,
        root=root_id,
        moment=mirrored(moment),
        member=member,
        count=count,
    )
    return [Item(mirrored(born), comment_id) for born, comment_id in rows]


newest_key = keys.comments
"""Returns the key of the cached list of a subject's root comments, newest first."""

oldest_key = keys.oldest_comments
"""Returns the key of the cached list of a subject's root comments, oldest first."""


def replies_key(root: EntityRef) -> str:
    """Returns the key of the cached list of the replies to a root comment."""
    return keys.replies(root.entity_id)


async def publish(cache: Cache, rows: Iterable[CommentRow], *, cap: int) -> None:
    """Updates the cached lists that contain these comments."""
    await lists.publish(cache, _places(rows).items(), cap=cap)


def _places(rows: Iterable[CommentRow]) -> dict[str, list[Item]]:
    """Returns the lists that contain the comments now, and the lists that may contain a deleted reply.

    Other comments stay in their lists, because they may be approved again or get a reply. Readers of the lists leave
    them out.
    """
    found: dict[str, list[Item]] = {}
    for row in rows:
        if row.root_id is not None:
            if row.is_public or row.deleted:
                moment = mirrored(0) if row.deleted else mirrored(row.moment)
                item = Item(-moment if row.deleted else moment, row.comment_id)
                found.setdefault(keys.replies(row.root_id), []).append(item)
        elif row.state is CommentState.VISIBLE:
            found.setdefault(keys.comments(row.subject), []).append(Item(row.moment, row.comment_id))
            oldest = Item(mirrored(row.moment), row.comment_id)
            found.setdefault(keys.oldest_comments(row.subject), []).append(oldest)
    return found
