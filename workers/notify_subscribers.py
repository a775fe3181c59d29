"""Notifies subscribers of changes. Call it when other requests can read the changes."""

from collections.abc import Iterable

from models.counters import EntityRef
from settings import USERS
from state import State


async def notify_subscribers(state: State, refs: Iterable[EntityRef], recipients: Iterable[int]) -> None:
    """Sends a message to the subscribers of each entity whose counters changed, and of each user with new
    notifications.

    Skips counters of users, because clients cannot subscribe to these.
    """
    things = [ref for ref in refs if ref.business_id != USERS]
    await state.events.publish([*things, *(EntityRef(USERS, user_id) for user_id in recipients)])
