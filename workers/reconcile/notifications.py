"""How far users have been told, and how many people their notifications are about. A user's head is the lock of all
their rows.
"""

from collections.abc import Sequence
from functools import partial

from sqlalchemy import text

from models.notifications import NotificationKind
from state import State
from store.notifications.notifications import drop
from workers.reconcile.batches import Compare, Key, drifting

_AGAIN = f"n.kind IN ({NotificationKind.COMMENT:d}, {NotificationKind.REPLY:d})"
_COUNTED = """(SELECT count(*) FROM notification_actors a
               WHERE a.user_id = n.user_id AND a.notification_id = n.notification_id)"""
_NOW = "((extract(epoch FROM now()) * 1000)::bigint + 1) << 10"
# A mark that is later than the head is of a Postgres that has lost commits (store/notifications/outbox.py), but never
# of the future.
_HEADS = text(f"""
    SELECT n.user_id, h.user_id IS NULL OR h.moment < n.newest OR h.read_moment > greatest(h.moment, {_NOW})
    FROM (SELECT user_id, max(moment) AS newest FROM notifications WHERE user_id > :user
          GROUP BY user_id ORDER BY user_id LIMIT :count) AS n
    LEFT JOIN notification_heads h USING (user_id) ORDER BY n.user_id
""")  # noqa: S608 - constants
_ACTORS = text(f"""
    SELECT n.user_id, n.notification_id, {_AGAIN} AND n.actor_count <> {_COUNTED}
    FROM (SELECT user_id, notification_id, kind, actor_count FROM notifications
          WHERE (user_id, notification_id) > (:user, :notification)
          ORDER BY user_id, notification_id LIMIT :count) AS n
    ORDER BY n.user_id, n.notification_id
""")  # noqa: S608 - constants

_LOCK = text("""
    INSERT INTO notification_heads AS h (user_id, moment, prev_moment, read_moment)
    SELECT user_id, 0, 0, 0 FROM unnest(CAST(:users AS bigint[])) AS w(user_id) ORDER BY user_id
    ON CONFLICT (user_id) DO UPDATE SET moment = h.moment
""")
_LIFT = text(f"""
    UPDATE notification_heads h SET
        moment = greatest(h.moment, n.newest), prev_moment = greatest(h.prev_moment, n.newest),
        read_moment = least(h.read_moment, greatest(h.moment, n.newest, {_NOW}))
    FROM (SELECT user_id, max(moment) AS newest FROM notifications
          WHERE user_id = ANY(CAST(:users AS bigint[])) GROUP BY user_id) AS n
    WHERE h.user_id = n.user_id
""")  # noqa: S608 - constants
_COUNT = text(f"""
    UPDATE notifications n SET actor_count = {_COUNTED}
    FROM unnest(CAST(:holders AS bigint[]), CAST(:ids AS bigint[])) AS w(user_id, notification_id)
    WHERE n.user_id = w.user_id AND n.notification_id = w.notification_id AND {_AGAIN}
""")  # noqa: S608 - constants


async def compare(state: State) -> Compare:
    """Every user who has been told something, then everything they were told."""
    lift, count = partial(_lift, state), partial(_count, state)
    async for compared in drifting(state.postgres, "notification_heads", _HEADS, ("user",), lift):
        yield compared
    async for compared in drifting(state.postgres, "notification_actors", _ACTORS, ("user", "notification"), count):
        yield compared


async def _lift(state: State, users: Sequence[Key]) -> None:
    ids = sorted(user for (user,) in users)
    async with state.postgres.transaction() as transaction:
        for statement in (_LOCK, _LIFT):
            await transaction.execute(statement, users=ids)
    await drop(state.cache, ids)


async def _count(state: State, notifications: Sequence[Key]) -> None:
    holders, ids = map(list, zip(*notifications, strict=True))
    users = sorted(set(holders))
    async with state.postgres.transaction() as transaction:
        await transaction.execute(_LOCK, users=users)
        await transaction.execute(_COUNT, holders=holders, ids=ids)
    await drop(state.cache, users)
