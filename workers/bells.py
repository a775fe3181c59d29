"""Notifies users about new posts of authors whom they have chosen for that, in steps of a few hundred users.

A step stores its progress last. If the worker dies before, or Redis is down, the step is repeated. That notifies nobody
twice, because a post causes at most one notification of a user.
"""

from collections.abc import Callable

from models.counters import EntityRef
from projections.entries import notifications
from settings import POSTS
from state import State
from store.notifications import delivery
from store.notifications.untold import NEW_POST, UntoldEvents
from store.people import bells
from store.people.bells import Ring
from workers.publish import notify_subscribers

_USERS_AT_ONCE = 500
_POSTS_AT_ONCE = 8


async def ring(state: State, is_leader: Callable[[], bool]) -> int:
    """Notifies the next 500 users about each of the eight oldest new posts. Returns the number of these posts. Does
    nothing and returns 0 unless `is_leader` returns true.
    """
    if not is_leader():
        return 0
    due = await bells.due(state.postgres, _POSTS_AT_ONCE)
    for one in due:
        await _notify(state, one)
    return len(due)


async def _notify(state: State, one: Ring) -> None:
    users, reached = await bells.next_users(state.postgres, one, _USERS_AT_ONCE)
    ref, partition, untold = EntityRef(POSTS, one.post_id), state.keys.partition_of(one.author_id), UntoldEvents()
    for user_id in users:
        untold.said(NEW_POST, user_id, ref, one.author_id, one.version, (ref,))
    async with state.postgres.transaction() as transaction:
        await untold.write(transaction, partition)
    kept = state.settings.retention.notifications
    told = await delivery.deliver(state.postgres, [partition], state.keys.partition_of, kept=kept)
    await notifications.publish(state, told.union(users))
    await notify_subscribers(state, (), told)
    async with state.postgres.transaction() as transaction:
        await bells.advance(transaction, one, reached)
