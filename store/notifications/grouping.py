"""Groups events into notifications: similar events about one object within half a day become one notification."""

import hashlib
from collections.abc import Collection, Iterable
from heapq import nlargest

from models.notifications import OWN_KINDS
from store.notifications.muted_threads import Notice
from store.notifications.outbox import COMMENT, MENTION, REPLY
from store.write_log.journal import version_ms

_COMMENT, _REPLY, _MENTION = int(COMMENT), int(REPLY), int(MENTION)
_OWN = frozenset(map(int, OWN_KINDS))
BUCKET_MS = 12 * 3_600_000
"""Events within the same half day (UTC), in milliseconds, are grouped in one notification."""
SHOWN_ACTORS = 5
_WEIGHTS = {_MENTION: 1, _COMMENT: 2, _REPLY: 3}

Place = tuple[int, int, int, int, int]
"""The identity of a group: kind, user, business, entity, half day."""


class Group:
    """Similar events that become one notification: the versions of the first and the last event, and the actors. Each
    actor has the version of the actor's last event.
    """

    __slots__ = ("actors", "count", "first", "id", "last", "message", "place")

    def __init__(self, place: Place, version: int, message: str | None) -> None:
        self.place = place
        self.id = _digest(place)
        self.first = self.last = version
        self.message = message
        self.actors: dict[int, int] = {}
        self.count = 0
        """How many of the actors are new to the group."""

    def add(self, actor_id: int, version: int) -> None:
        if version < self.first:
            self.first = version
        elif version > self.last:
            self.last = version
        if version > self.actors.get(actor_id, 0):
            self.actors[actor_id] = version

    def row(self, moment: int, rank: int) -> tuple[object, ...]:
        kind, user_id, business_id, entity_id, _ = self.place
        times = version_ms(self.first), version_ms(self.last), moment
        return user_id, self.id, kind, business_id, entity_id, *times, rank, self._shown, self.count, self.message

    @property
    def _shown(self) -> str:
        """Returns the newest actors, at most SHOWN_ACTORS, as a Postgres array literal."""
        actors: Iterable[int] = self.actors
        if len(self.actors) > 1:
            actors = nlargest(SHOWN_ACTORS, actors, key=lambda actor: (self.actors[actor], actor))
        return f"{{{','.join(map(str, actors))}}}"


def group_events(notices: Iterable[Notice]) -> Collection[Group]:
    """Returns the groups of these events. If one post or comment causes several events for a user, only one is kept: a
    reply before a comment before a mention.
    """
    groups: dict[Place, Group] = {}
    said: dict[tuple[int, int, int], Notice] = {}
    for notice in notices:
        if notice[0] in _WEIGHTS:
            _, user_id, _, _, actor_id, version, _ = notice
            other = said.get((user_id, actor_id, version))
            if other is None or _WEIGHTS[notice[0]] > _WEIGHTS[other[0]]:
                said[user_id, actor_id, version] = notice
        else:
            _add(groups, notice)
    for notice in said.values():
        _add(groups, notice)
    return groups.values()


def _add(groups: dict[Place, Group], notice: Notice) -> None:
    kind, user_id, business_id, entity_id, actor_id, version, message = notice
    bucket = version if kind in _OWN else 0 if kind == _MENTION else version_ms(version) // BUCKET_MS
    place = kind, user_id, business_id, entity_id, bucket
    group = groups.get(place)
    if group is None:
        group = groups[place] = Group(place, version, message)
    if actor_id:
        group.add(actor_id, version)


def _digest(place: Place) -> int:
    """Returns the id of a group's notification: 63 bits of a digest of the group's identity, so that later events of
    the group find its row.
    """
    return int.from_bytes(hashlib.blake2b(b"%d:%d:%d:%d:%d" % place, digest_size=8).digest()) >> 1
