"""The day's leaderboards, where somebody looks at them, after a batch in which something was liked."""

from collections.abc import Sequence

from state import State
from store import leaderboards
from store.leaderboards import Place
from workers.events import Reacted


async def publish(state: State, events: Sequence[Reacted]) -> None:
    """What rows say by now of everything that was reacted to."""
    places = {Place(event.ref.business_id, event.day, event.ref.entity_id) for event in events}
    await leaderboards.publish(state.cache, state.postgres, places)
