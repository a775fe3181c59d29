"""Stores the marks of users: up to where notifications are read or seen, and which are read alone. After a batch,
delivers new notifications and updates the cached ones.

The events to deliver are rows of the table `untold`, which the batch has written. A worker that died may have delivered
some of them already. The recipients are computed from the events and their rows, so delivery can be repeated, delayed,
or done by another worker.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from domain.moderation.reports import ReportStatus
from models.counters import EntityRef
from projections.batch import Batch
from projections.projection import Projection, Publication
from settings import USERS
from state import State
from store.groups import chunks
from store.moderation import reports
from store.moderation.reports import Closing
from store.moderation.reviews import ModeratedRow
from store.notifications import delivery, notifications
from store.notifications.marks import BADGE, READ_ALONE, SEEN, Mark
from store.notifications.notifications import Marked
from store.write_log.journal import Entry

_CHUNK = 400


class MarkMade(NamedTuple):
    """An event: a user has marked notifications as read or seen."""

    partition: int
    version: int
    actor_id: int
    mark: Mark

    @property
    def ref(self) -> EntityRef:
        """Returns the user who has marked the notifications, as an EntityRef."""
        return EntityRef(USERS, self.actor_id)


def _parse(entry: Entry, data: dict[str, Any]) -> list[MarkMade]:
    return [_made(entry, data, Mark(int(data["moment"])))]


def _parse_seen(entry: Entry, data: dict[str, Any]) -> list[MarkMade]:
    return [_made(entry, data, Mark(int(data["moment"]), seen=True))]


def _parse_alone(entry: Entry, data: dict[str, Any]) -> list[MarkMade]:
    return [_made(entry, data, Mark(int(data["moment"]), notification_id=int(data["notification"])))]


def _made(entry: Entry, data: dict[str, Any], mark: Mark) -> MarkMade:
    return MarkMade(entry.partition, entry.version, int(data["actor"]), mark)


async def _apply(batch: Batch, events: Sequence[MarkMade]) -> None:
    for event in events:
        batch.untold.marked(event.actor_id, event.mark, event.version)


async def _collect(publication: Publication, events: Sequence[MarkMade]) -> None:
    publication.notified |= {event.actor_id for event in events}


async def deliver(publication: Publication, partitions: Collection[int]) -> set[int]:
    """Delivers the notifications about events of these partitions that are stored and not delivered yet. Returns the
    ids of all users whose cached notifications may be old: the recipients, the users in `publication.notified`, and the
    users that the publication's posts, comments and closed reports concern. A worker that died may have delivered
    notifications to the latter.
    """
    state = publication.state
    found = await delivery.deliver(
        state.postgres, partitions, state.keys.partition_of, kept=state.settings.retention.notifications
    )
    return found | publication.notified | await _concerned(publication)


async def _concerned(publication: Publication) -> set[int]:
    """Returns the ids of the users who may have notifications about the posts, comments and closed reports of a
    publication.
    """
    rows: list[ModeratedRow] = [*publication.posts, *publication.comments]
    found = {user for row in rows for user in row.concerned if user}
    deletions = [Closing(row.ref, row.version, ReportStatus.MOOT) for row in rows if row.deleted]
    if closings := publication.closings + deletions:
        found |= await reports.reporters(publication.state.postgres, closings)
    return found | {user_id for row in rows if row.is_public for _, user_id in row.mentioned or ()}


async def publish(state: State, users: Iterable[int]) -> None:
    """Replaces the cached newest notifications of these users by those in Postgres. Skips users whose notifications are
    not cached.
    """
    for some in chunks(sorted(users), _CHUNK):
        if cached := await notifications.cached_among(state.cache, some):
            await notifications.publish(state.cache, await notifications.newest(state.postgres, cached))


def _pending(event: MarkMade) -> Marked:
    return Marked(event.actor_id, event.mark, event.version)


_PARSERS = {SEEN: _parse, BADGE: _parse_seen, READ_ALONE: _parse_alone}
PROJECTION = Projection((MarkMade,), _PARSERS, _apply, _collect, pending=_pending)
