"""The day's leaderboards, where somebody looks at them, after a batch in which something was liked."""

from collections.abc import Sequence

from projections.events import Reacted
from state import State
from store.reactions import leaderboards
from store.reactions.leaderboards import LeaderboardChange


async def publish(state: State, events: Sequence[Reacted]) -> None:
    """What rows say by now of everything that was reacted to."""
    places = {LeaderboardChange(event.ref.business_id, event.day, event.ref.entity_id) for event in events}
    await leaderboards.publish(state.cache, state.postgres, places)
