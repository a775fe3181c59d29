"""Word to those who watch, once what changed can be read."""

from collections.abc import Iterable

from models.counters import EntityRef
from settings import USERS
from state import State


async def announce(state: State, refs: Iterable[EntityRef]) -> None:
    """That the counters of entities have changed. Those of users nobody can watch."""
    await state.events.publish(ref for ref in refs if ref.business_id != USERS)
