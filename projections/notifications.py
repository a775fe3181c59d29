"""Notifications, after a batch in which something happened to users, or in which they said what they have read.

What is to be told lies in rows of the batch's partitions; who may have been told it before, by a worker that died then,
follows from its events and the rows they are about. So this can be done twice, late, or by another worker.
"""

from collections.abc import Iterable, Sequence

from domain import texts
from models.likes import Reaction
from projections.events import Event, Followed, Reacted, ReadMarked
from state import State
from store.moderation.queue import ModeratedRow
from store.notifications import delivery, notifications
from store.people.users import by_handle

_CHUNK = 400
_LIKE = Reaction.LIKE


async def tell(state: State, events: Sequence[Event], rows: Sequence[ModeratedRow]) -> set[int]:
    """Tells users what is stored to be told. Returns for whom something may be new: they were told, now or before, of
    these events, posts or comments, or have read.
    """
    partitions = {event.partition for event in events}
    found = await delivery.tell(state.postgres, partitions, kept=state.settings.kept_notifications)
    return found | await _concerned(state, events, rows)


async def _concerned(state: State, events: Iterable[Event], rows: Sequence[ModeratedRow]) -> set[int]:
    found = {user for row in rows for user in row.concerned if user}
    for event in events:
        if isinstance(event, Reacted):
            if event.state == _LIKE and event.owner_id:
                found.add(event.owner_id)
        elif isinstance(event, Followed):
            found.add(event.followee_id)
        elif isinstance(event, ReadMarked):
            found.add(event.actor_id)
    handles = {handle for row in rows if row.is_public for handle in texts.mentions(row.text)}
    if handles:
        found |= set((await by_handle(state.postgres, sorted(handles))).values())
    return found


async def publish(state: State, users: Iterable[int]) -> None:
    """What rows say by now, to those of the users whose notifications are cached."""
    ordered = sorted(users)
    for at in range(0, len(ordered), _CHUNK):
        if cached := await notifications.cached_among(state.cache, ordered[at : at + _CHUNK]):
            await notifications.publish(state.cache, await notifications.newest(state.postgres, cached))
