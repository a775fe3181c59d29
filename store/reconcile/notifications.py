"""Compares two values with the rows of notifications, and corrects them: the head of each user, which is the moment of
the user's newest notification, and the number of users that each notification names (its actors).
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from models.notifications import IS_REPEATED
from store.postgres.client import Transaction
from store.postgres.columns import columns
from store.reconcile.batches import compared

_NOW = "((extract(epoch FROM now()) * 1000)::bigint + 1) << 10"
# After Postgres has lost commits, a mark may be later than the head (store/notifications/untold.py). It is never later
# than now.
HEADS = compared(
    "user_id",
    ("user",),
    """SELECT user_id, max(moment) AS newest FROM notifications WHERE user_id > :user
   GROUP BY user_id ORDER BY user_id LIMIT :count""",
    f"""SELECT n.user_id FROM batch n JOIN notification_heads h USING (user_id)
    WHERE h.moment >= n.newest AND greatest(h.read_moment, h.seen_moment) <= greatest(h.moment, {_NOW})""",  # noqa: S608 - constants
)
"""Compares all users with notifications. A user drifts if the head is earlier than the newest notification, or if the
read mark or the seen mark is later than the head and than the current time.
"""
ACTORS = compared(
    "user_id, notification_id",
    ("user", "notification"),
    """SELECT user_id, notification_id, kind, actor_count FROM notifications
   WHERE (user_id, notification_id) > (:user, :notification) ORDER BY user_id, notification_id LIMIT :count""",
    f"""SELECT n.user_id, n.notification_id FROM batch n LEFT JOIN counted USING (user_id, notification_id)
    WHERE NOT {IS_REPEATED} OR n.actor_count = coalesce(counted.actors, 0)""",  # noqa: S608 - constants
    f"""counted AS MATERIALIZED (
    SELECT n.user_id, n.notification_id, count(*) AS actors
    FROM batch n JOIN notification_actors USING (user_id, notification_id) WHERE {IS_REPEATED}
    GROUP BY n.user_id, n.notification_id
),""",  # noqa: S608 - constants
)
"""Compares all notifications, by user and id. A notification drifts if its number of actors is wrong."""

_LOCK = text("""
    INSERT INTO notification_heads AS h (user_id, moment, prev_moment, read_moment)
    SELECT user_id, 0, 0, 0 FROM unnest(CAST(:users AS bigint[])) AS w(user_id) ORDER BY user_id
    ON CONFLICT (user_id) DO UPDATE SET moment = h.moment
""")
_LIFT = text(f"""
    UPDATE notification_heads h SET
        moment = greatest(h.moment, n.newest), prev_moment = greatest(h.prev_moment, n.newest),
        read_moment = least(h.read_moment, greatest(h.moment, n.newest, {_NOW})),
        seen_moment = least(h.seen_moment, greatest(h.moment, n.newest, {_NOW}))
    FROM (SELECT user_id, max(moment) AS newest FROM notifications
          WHERE user_id = ANY(CAST(:users AS bigint[])) GROUP BY user_id) AS n
    WHERE h.user_id = n.user_id
""")  # noqa: S608 - constants
_COUNT = text(f"""
    UPDATE notifications n SET actor_count = (
        SELECT count(*) FROM notification_actors a
        WHERE a.user_id = n.user_id AND a.notification_id = n.notification_id)
    FROM unnest(CAST(:holders AS bigint[]), CAST(:ids AS bigint[])) AS w(user_id, notification_id)
    WHERE n.user_id = w.user_id AND n.notification_id = w.notification_id AND {IS_REPEATED}
""")  # noqa: S608 - constants


async def raise_heads(transaction: Transaction, users: Sequence[int]) -> None:
    """Locks the heads of these users, and raises each to the moment of the user's newest notification if it is earlier.
    Lowers a mark, the moment up to which the user has read or seen, if it is later than the head and than the current
    time.
    """
    for statement in (_LOCK, _LIFT):
        await transaction.execute(statement, users=users)


async def count_actors(
    transaction: Transaction, users: Sequence[int], notifications: Sequence[tuple[Any, ...]]
) -> None:
    """Corrects the number of actors of these notifications, given as (user, id). First locks the heads of `users`, who
    must be the users of the notifications.
    """
    await transaction.execute(_LOCK, users=users)
    await transaction.execute(_COUNT, **columns(notifications, "holders", "ids"))
