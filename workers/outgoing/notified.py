"""Decides what an event `notification.created` tells, when it is sent: its recipient may see less than at delivery."""

from collections.abc import Sequence

from models.outgoing import EventKind, StoredEvent
from state import State
from store.notifications import recipients
from store.notifications.muted_threads import Notice
from workers.outgoing.payloads import Data

Parsed = tuple[StoredEvent, Data]


async def shown(state: State, events: Sequence[Parsed]) -> list[Parsed]:
    """Removes the actors that are hidden from the recipients. Leaves out notifications that are hidden, or whose actors
    all are. Other events stay as they are.
    """
    asked = [notice for event, data in events for notice in _notices(event, data)]
    if not asked:
        return [*events]
    found = set(map(tuple, await recipients.still_shown(state.postgres.read, asked)))
    kept: list[Parsed] = []
    for event, data in events:
        notices = _notices(event, data)
        actors = [notice[4] for notice in notices if tuple(notice) in found]
        if actors or not notices:
            kept.append((event, _with_actors(data, actors) if notices else data))
    return kept


def _notices(event: StoredEvent, data: Data) -> list[Notice]:
    """Returns one event for each named actor of a notification; for a notification without actors, with actor 0."""
    if event.kind != EventKind.NOTIFICATION_CREATED:
        return []
    user_id = int(event.object.split(".")[0])
    kind, about = data["notification"], data["about"]
    return [(kind, user_id, *about, actor, 0, None) for actor in data["actors"] or (0,)]


def _with_actors(data: Data, actors: Sequence[int]) -> Data:
    if not data["actors"]:
        return data
    return {**data, "actors": actors, "actor_count": data["actor_count"] - (len(data["actors"]) - len(actors))}
