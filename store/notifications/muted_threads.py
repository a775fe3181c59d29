"""Leaves out notification events in threads that the notified user mutes. A thread is a post or entity with all its
comments, or a root comment with its replies.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from models.counters import EntityRef
from models.notifications import NotificationKind
from settings import COMMENTS, POSTS
from store.postgres.client import Reader
from store.postgres.columns import columns

_OF_COMMENTS = text("""
    SELECT comment_id, coalesce(root_id, comment_id), subject_business, subject_id
    FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]))
""")
_MUTED = text("""
    SELECT user_id, business_id, entity_id
    FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]))
         AS asked(user_id, business_id, entity_id)
    JOIN thread_mutes t USING (user_id, business_id, entity_id)
    WHERE t.stands
""")
_ANNOUNCED = text("""
    SELECT post_id, about_business, about_id FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[])) AND announces
""")
_OF_POSTS = {NotificationKind.REPOST, NotificationKind.QUOTE}
"""The kinds of events about posts that may announce entities. The thread of such a post is that of the entity."""

Notice = Sequence[Any]
"""One event: kind, user, business, entity, actor (0: none), version, the message if the kind has one, the comment
of COMMENT or REPLY (0: none), and for LIKE the set of the kinds of reactions (models/likes.py). A notice of an earlier
version of Plaudit, or of a stored notification, may lack the last value.
"""
Threads = Sequence[EntityRef]


async def wanted(source: Reader, events: Sequence[tuple[Notice, Threads | None]]) -> list[Notice]:
    """Returns the events that are in no thread that the notified user mutes. `events` are pairs of an event and the
    threads that contain it. The threads are None for an event about a comment; this function reads them.
    """
    read = await _of_comments(source, sorted({notice[3] for notice, threads in events if threads is None}))
    placed = [(notice, read.get(notice[3], ()) if threads is None else threads) for notice, threads in events]
    posts = {one.entity_id for notice, threads in placed if notice[0] in _OF_POSTS for one in threads}
    if posts:
        rows = await source.read(_ANNOUNCED, ids=sorted(posts))
        of_entity = {EntityRef(POSTS, post_id): EntityRef(*about) for post_id, *about in rows}
        placed = [(notice, [of_entity.get(one, one) for one in threads]) for notice, threads in placed]
    asked = sorted({(notice[1], *thread) for notice, threads in placed for thread in threads})
    if not asked:
        return [notice for notice, _ in placed]
    rows = await source.read(_MUTED, **columns(asked, "users", "businesses", "entities"))
    muted = set(map(tuple, rows))
    return [notice for notice, threads in placed if not any((notice[1], *thread) in muted for thread in threads)]


async def _of_comments(source: Reader, ids: Sequence[int]) -> dict[int, Threads]:
    """Returns the threads of each comment, by comment id: its root comment, and the post or entity that it is about."""
    rows = await source.read(_OF_COMMENTS, ids=ids) if ids else ()
    return {id_: (EntityRef(COMMENTS, root), EntityRef(*subject)) for id_, root, *subject in rows}
