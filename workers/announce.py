"""Notifies subscribers of changes, once these can be read."""

from collections.abc import Iterable

from models.counters import EntityRef
from settings import USERS
from state import State


async def announce(state: State, refs: Iterable[EntityRef], recipients: Iterable[int]) -> None:
    """Publishes events: that the counters of entities have changed, and that users have new notifications.

    Skips counters of users, since there is no subscription for these.
    """
    things = [ref for ref in refs if ref.business_id != USERS]
    await state.events.publish([*things, *(EntityRef(USERS, user_id) for user_id in recipients)])
