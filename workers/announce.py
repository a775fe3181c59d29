"""Word to those who watch, once what changed can be read."""

from collections.abc import Iterable

from models.counters import EntityRef
from settings import USERS
from state import State


async def announce(state: State, refs: Iterable[EntityRef], recipients: Iterable[int]) -> None:
    """That the counters of entities have changed, which nobody can watch of users; and users' notifications."""
    things = [ref for ref in refs if ref.business_id != USERS]
    await state.events.publish([*things, *(EntityRef(USERS, user_id) for user_id in recipients)])
