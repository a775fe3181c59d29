"""Groups events into notifications: similar events about one object within half a day become one notification. The
mentions of one text are always one notification. Each new post, and each decision about a user's content or reports, is
a notification of its own.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from heapq import nlargest

from domain.versions import version_ms
from models.likes import Reaction
from models.notifications import OWN_KINDS, TEXT_KINDS
from store.notifications.muted_threads import Notice
from store.notifications.untold import COMMENT, MENTION, QUOTE, REPLY

_TEXTS = frozenset(map(int, TEXT_KINDS))
_OWN = frozenset(map(int, OWN_KINDS))
BUCKET_MS = 12 * 3_600_000
"""Events within the same half day (UTC), in milliseconds, are grouped in one notification."""
KEPT = 5
"""How many of its newest actors and comments a notification has."""
_WEIGHTS = {int(MENTION): 1, int(COMMENT): 2, int(REPLY): 3, int(QUOTE): 4}

Place = tuple[int, int, int, int, int]
"""The identity of a group: kind, user, business, entity, and half day. In place of the half day, a mention, a quote and
a new post have 0, and a decision about the user's content or reports has its version.
"""


class Group:
    """Similar events that become one notification: the versions of the first and the last event, the users who acted
    (actors), and the comments that caused the events. Each actor has the version of the actor's last event.
    """

    __slots__ = ("actors", "comments", "count", "first", "id", "kinds", "last", "message", "place")

    def __init__(self, place: Place, version: int, message: str | None) -> None:
        self.place = place
        self.id = _digest(place)
        self.first = self.last = version
        self.message = message
        self.actors: dict[int, int] = {}
        self.comments: dict[int, int] = {}
        self.kinds = 0
        """The set of the kinds of reactions that the actors gave (models/likes.py)."""
        self.count = 0
        """How many of the actors are new to the group."""

    def add(self, actor_id: int, version: int, comment_id: int) -> None:
        if version < self.first:
            self.first = version
        elif version > self.last:
            self.last = version
        if version > self.actors.get(actor_id, 0):
            self.actors[actor_id] = version
        if comment_id:
            self.comments[comment_id] = version

    def row(self, moment: int, rank: int) -> tuple[object, ...]:
        kind, user_id, business_id, entity_id, _ = self.place
        times = version_ms(self.first), version_ms(self.last), moment
        actors, comments = _newest(self.actors), _newest(self.comments) if self.comments else None
        kinds = self.kinds if self.kinds > Reaction.LIKE else None
        about = kind, business_id, entity_id
        return user_id, self.id, *about, *times, rank, actors, self.count, self.message, comments, kinds


def _newest(versions: Mapping[int, int]) -> str:
    """Returns the ids with the highest versions, at most KEPT, as a Postgres array literal."""
    ids: Iterable[int] = versions
    if len(versions) > 1:
        ids = nlargest(KEPT, ids, key=lambda id_: (versions[id_], id_))
    return f"{{{','.join(map(str, ids))}}}"


def group_events(notices: Iterable[Notice]) -> Collection[Group]:
    """Groups these events; each group becomes one notification. If one post or comment causes several events for a
    user, only one is kept: the quote, the reply, else the comment, else the mention.
    """
    groups: dict[Place, Group] = {}
    said: dict[tuple[int, int, int], Notice] = {}
    for notice in notices:
        if notice[0] in _WEIGHTS:
            _, user_id, _, _, actor_id, version, *_ = notice
            other = said.get((user_id, actor_id, version))
            if other is None or _WEIGHTS[notice[0]] > _WEIGHTS[other[0]]:
                said[user_id, actor_id, version] = notice
        else:
            _add(groups, notice)
    for notice in said.values():
        _add(groups, notice)
    return groups.values()


def _add(groups: dict[Place, Group], notice: Notice) -> None:
    kind, user_id, business_id, entity_id, actor_id, version, message, comment_id, *kinds = notice
    bucket = version if kind in _OWN else 0 if kind in _TEXTS else version_ms(version) // BUCKET_MS
    place = kind, user_id, business_id, entity_id, bucket
    group = groups.get(place)
    if group is None:
        group = groups[place] = Group(place, version, message)
    if actor_id:
        group.add(actor_id, version, comment_id)
        group.kinds |= kinds[0] if kinds else Reaction.LIKE


def _digest(place: Place) -> int:
    """Returns the id of a group's notification: 63 bits of a digest of the group's identity, so that later events of
    the group find its row.
    """
    return int.from_bytes(hashlib.blake2b(b"%d:%d:%d:%d:%d" % place, digest_size=8).digest()) >> 1
