"""Delivers notifications after a batch, and updates cached notifications.

The notification outbox has rows for the partitions of the batch. A worker that died may have delivered some of them
already. Recipients are computed from the events and their rows, so delivery can be repeated, delayed, or done by
another worker.
"""

from collections.abc import Iterable, Sequence

from domain.moderation.reports import ReportStatus
from domain.text_tokens import mentions
from models.likes import Reaction
from projections.events import Event
from projections.events.moderation import Reported, ReportsResolved, Warned
from projections.events.notifications import ReadMarked
from projections.events.people import Followed
from projections.events.reactions import Reacted
from state import State
from store.groups import chunks
from store.moderation import reports
from store.moderation.reports import Closing
from store.moderation.reviews import ModeratedRow
from store.notifications import delivery, notifications
from store.people.users import by_handle

_CHUNK = 400
_LIKE = Reaction.LIKE


async def deliver(state: State, events: Sequence[Event], rows: Sequence[ModeratedRow]) -> set[int]:
    """Delivers the notifications in the outbox. Returns the ids of all users whose cached notifications may be old: the
    recipients, users that these events and rows concern (a worker that died may have delivered to them), and users who
    marked their notifications as read.
    """
    partitions = {event.partition for event in events}
    found = await delivery.deliver(
        state.postgres, partitions, state.keys.partition_of, kept=state.settings.retention.notifications
    )
    return found | await _concerned(state, events, rows)


async def _concerned(state: State, events: Sequence[Event], rows: Sequence[ModeratedRow]) -> set[int]:
    found = {user for row in rows for user in row.concerned if user}
    for event in events:
        if isinstance(event, Reacted):
            if event.state == _LIKE and event.owner_id:
                found.add(event.owner_id)
        elif isinstance(event, Followed):
            found |= {event.followee_id, event.actor_id} if event.is_acceptance else {event.followee_id}
        elif isinstance(event, ReadMarked | Reported):
            found.add(event.actor_id)
    found |= {event.ref.entity_id for event in events if isinstance(event, Warned)}
    closings = [
        Closing(event.ref, event.version, event.status) for event in events if isinstance(event, ReportsResolved)
    ]
    closings += [Closing(row.ref, row.version, ReportStatus.MOOT) for row in rows if row.deleted]
    if closings:
        found |= await reports.reporters(state.postgres, closings)
    handles = {handle for row in rows if row.is_public for handle in mentions(row.text)}
    if handles:
        found |= set((await by_handle(state.postgres, sorted(handles))).values())
    return found


async def publish(state: State, users: Iterable[int]) -> None:
    """Replaces the cached newest notifications of these users by those in Postgres. Skips users whose notifications are
    not cached.
    """
    for some in chunks(sorted(users), _CHUNK):
        if cached := await notifications.cached_among(state.cache, some):
            await notifications.publish(state.cache, await notifications.newest(state.postgres, cached))
