"""Where comments are found: the rows below the cached lists of a subject's root comments and of a root's replies.

Lists are newest first, as all lists are (store/cache/lists.py). Those that are oldest first have mirrored moments, so
that the oldest are their newest. All hold what everybody finds: comments as they are, and tombstones above replies.
"""

from sqlalchemy import text

from models.comments import CommentState
from models.counters import EntityRef
from store.cache.lists import NEWEST, Item
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
