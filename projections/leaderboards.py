"""Updates the cached daily leaderboards after a batch of reactions."""

from collections.abc import Sequence

from projections.events.reactions import Reacted
from state import State
from store.reactions import leaderboards
from store.reactions.leaderboards import LeaderboardChange


async def publish(state: State, events: Sequence[Reacted]) -> None:
    """Writes the current number of likes of the day, for each entity, post or comment in these events, to the cached
    leaderboards of days.
    """
    places = {LeaderboardChange(event.ref.business_id, event.day, event.ref.entity_id) for event in events}
    await leaderboards.publish(state.cache, state.postgres, places)
