"""Reads notifications of a user from the cache or from Postgres. A notification that the user has just marked as read
or seen is returned as such, even if the mark is not stored yet. Notifications that the user may not see are included;
visible_notifications.py leaves them out.
"""

from collections.abc import Sequence
from dataclasses import replace

from loaders.read_through import ReadThrough
from models.notifications import Newest, NotificationRow
from state import State
from store.cache.lists import Above, Item
from store.notifications import notifications
from store.notifications.marks import Marks


async def newest(state: State, stored: ReadThrough[int, Newest], users: Sequence[int]) -> list[Newest]:
    """Returns the newest notifications of each user, with the user's latest marks applied, stored or not. `stored` is
    the cache of notifications. Raises PostgresDown, or RedisDown if the marks cannot be read.
    """
    marks = [state.read_marks.pending(user) for user in users]
    found = await stored.get_many(users)
    return [await _marked(state, user, one, await mark) for user, one, mark in zip(users, found, marks, strict=True)]


async def _marked(state: State, user_id: int, stored: Newest, pending: Marks) -> Newest:
    """Returns a user's newest notifications with the marks `pending`, which may not be stored yet. If a mark concerns
    notifications that are older than all cached ones, counts the older unread and unseen ones with a query of Postgres.
    """
    marks = Marks(max(pending.read, stored.read_moment), max(pending.seen, stored.seen_moment), pending.alone)
    if marks.read == stored.read_moment and marks.seen == stored.seen_moment and not marks.alone:
        return stored
    rows = tuple(map(marks.applied, stored.rows))
    unread, unseen = sum(not row.read for row in rows), sum(not row.is_seen for row in rows)
    if not stored.whole and marks.read < (oldest := stored.rows[-1].moment):
        older = await notifications.counted(state.postgres, user_id, marks, oldest)
        unread, unseen = unread + older[0], unseen + older[1]
    return replace(
        stored,
        rows=rows,
        read_moment=marks.read,
        seen_moment=marks.seen,
        unread=unread,
        unseen=unseen,
        pending_alone=marks.alone,
    )


async def page(state: State, user_id: int, newest: Newest, before: Item | None, count: int) -> list[NotificationRow]:
    """Returns up to `count` notifications of a user that follow the item `before` in the newest-first list: first those
    in `newest`, then older ones from Postgres. If `before` is an `Above`, returns those that come before it, nearest
    first. Raises PostgresDown.
    """
    if isinstance(before, Above):
        if newest.whole or newest.rows[-1].moment <= before.score:
            return [row for row in reversed(newest.rows) if row.moment > before.score][:count]
        above = before.score
        return await notifications.page(state.postgres, user_id, above, count, _marks(newest), newer=True)
    found = [row for row in newest.rows if before is None or row.moment < before.score][:count]
    if newest.whole or len(found) == count:
        return found
    below = found[-1].moment if found else before.score if before else newest.rows[-1].moment
    return found + await notifications.page(state.postgres, user_id, below, count - len(found), _marks(newest))


async def by_ids(state: State, user_id: int, newest: Newest, ids: Sequence[int]) -> dict[int, NotificationRow]:
    """Returns notifications of a user by id. The result also contains all notifications in `newest`. It lacks ids that
    do not exist or belong to other users. Raises PostgresDown.
    """
    found = {row.notification_id: row for row in newest.rows}
    missing = [id_ for id_ in ids if id_ not in found]
    if missing and not newest.whole:
        rows = await notifications.by_id(state.postgres, user_id, missing, _marks(newest))
        found |= {row.notification_id: row for row in rows}
    return found


def _marks(newest: Newest) -> Marks:
    return Marks(newest.read_moment, newest.seen_moment, newest.pending_alone)
