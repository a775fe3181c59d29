"""Where comments are found: the rows below the cached lists of a subject's root comments and of a root's replies.

Lists are newest first, as all lists are (store/cache/lists.py). Those that are oldest first have mirrored moments, so
that the oldest are their newest. All hold what everybody finds: comments as they are, and tombstones above replies.
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
    """A subject's root comments older than `before`."""
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
    """A subject's root comments, or a root's replies, from the oldest on; by mirrored moments."""
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
"""Names the cached list of a subject's root comments, newest first."""

oldest_key = keys.oldest_comments
"""Names the cached list of a subject's root comments, oldest first."""


def replies_key(root: EntityRef) -> str:
    """Names the cached list of the replies to a root comment."""
    return keys.replies(root.entity_id)


async def publish(cache: Cache, rows: Iterable[CommentRow], *, cap: int) -> None:
    """Changes the cached lists that comments are in."""
    await lists.publish(cache, _places(rows).items(), cap=cap)


def _places(rows: Iterable[CommentRow]) -> dict[str, list[Item]]:
    """Returns the lists that comments are in now, and those that a deleted reply may have been in.

    Everything else stays in lists, and is left out by their readers: it may be approved again, or answered.
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
