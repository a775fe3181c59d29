"""The kinds of own sets. An own set holds the states of one user about objects: what the user likes, saves, follows,
blocks or mutes. All kinds are changed by one script and loaded from rows by another (store/own_sets/own_sets.py).

To add a kind, add an entry to `KINDS` with a function that reads its rows, its name to the keys of generations
(store/keys.py), and a projection of its journal entries (projections/).
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from models.counters import CounterKind, EntityRef
from models.follows import FollowState
from models.likes import Reaction
from models.own_sets import Member
from settings import COLLECTIONS, USERS, Business, Settings
from store.people import boundary_rows, follows
from store.people.boundary_rows import BLOCKER
from store.postgres.client import Reader
from store.reactions import collections, likes, saves
from store.write_log.pending import BLOCK, COLLECTION, FOLLOW, MUTE, REACT, SAVE, SHARE, THREAD, VIEW, Change

_DAY_MS = 86_400_000


class Bounds(NamedTuple):
    """How large a set may be. With `cap`, Redis keeps only the newest members and a floor. With `limit`, a user may
    have at most so many members, and Redis keeps all of them. A set expires `idle_ms` milliseconds after its last
    change.
    """

    cap: int | None
    limit: int | None
    idle_ms: int


ReadRows = Callable[[Reader, int, int, Sequence[EntityRef], int], Awaitable[Sequence[Member]]]
"""Reads members of one user's set from rows: the user, the business of the set, the objects that are asked for, and how
many of the newest members to read in addition. If that is not 0, a set with a limit is returned whole.
"""
Weight = Callable[[int], int]
"""Returns what a state adds to a counter."""
ReadRowsOfUsers = Callable[[Reader, Sequence[int]], Awaitable[dict[int, list[Member]]]]
"""Reads the whole sets of several users from rows, in one query."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of own set. State 0 stands for an object that is not in the set."""

    name: str
    """The kind of the journal entries, and the first word of keys and pending fields."""
    bounds: Callable[[Settings, Business | None], Bounds]
    rows: ReadRows
    business: int | None = None
    """The business of all members; None if members can be of any business."""
    by_business: bool = False
    """Whether a user has one set for each business."""
    counters: Mapping[CounterKind, Weight] = field(default_factory=dict)
    """The counters of an object to which its state adds, and how much."""
    within: str | None = None
    """The kind of set that says which states above 1 are allowed: the ids of its members. A save may only be in a
    collection that the user has.
    """
    guards: Sequence[str] = ()
    """Sets of users. If one of them contains the user, a change to a state other than 0 is refused with BLOCKED."""
    ends: str | None = None
    """Another kind of set. When an object joins this set, it is removed from that one: a block ends a follow."""
    is_boundary: bool = False
    """Whether changes replace the stamp of the user's boundaries (store/own_sets/boundaries.py)."""
    expires: bool = False
    """Whether the state is the time, in milliseconds since the Unix epoch, at which the member expires."""

    def member(self, ref: EntityRef) -> str:
        """Returns the name of an object in the set."""
        if self.by_business or self.business is not None:
            return str(ref.entity_id)
        return f"{ref.business_id}:{ref.entity_id}"

    def prefix(self, business_id: int) -> str:
        """Returns the beginning of the pending fields of a set's members. `business_id` is the business of the set."""
        if not self.by_business and self.business is None:
            return f"{self.name}:"
        return f"{self.name}:{self._of(business_id)}:"

    def ref(self, member: bytes, business_id: int) -> EntityRef:
        """Returns the object with this name in a set. `business_id` is the business of the set."""
        if self.by_business or self.business is not None:
            return EntityRef(self._of(business_id), int(member))
        business, _, entity = member.partition(b":")
        return EntityRef(int(business), int(entity))

    def _of(self, business_id: int) -> int:
        return business_id if self.business is None else self.business


def _reactions(_: Settings, business: Business | None) -> Bounds:
    assert business
    return Bounds(business.recent_reactions, None, business.reactions_idle_days * _DAY_MS)


def _saves(settings: Settings, _: Business | None) -> Bounds:
    return Bounds(settings.caches.saves, None, 30 * _DAY_MS)


def _limited(limit: Callable[[Settings], int]) -> Callable[[Settings, Business | None], Bounds]:
    return lambda settings, _: Bounds(None, limit(settings), 7 * _DAY_MS)


def _boundary(kind: str) -> ReadRows:
    async def read(source: Reader, user_id: int, *_: object) -> Sequence[Member]:
        return (await boundary_rows.stored(source, user_id, 0)).own[kind]

    return read


def _if_state(wanted: int) -> Weight:
    return lambda state: int(state == wanted)


def _if_any(state: int) -> int:
    return int(state != 0)


_collections = _limited(lambda settings: settings.people.collection_limit)
_follows = _limited(lambda settings: settings.people.follow_limit)
_boundaries = _limited(lambda settings: settings.people.boundary_limit)

KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            REACT,
            _reactions,
            likes.own_rows,
            by_business=True,
            counters={CounterKind.LIKES: _if_state(Reaction.LIKE), CounterKind.DISLIKES: _if_state(Reaction.DISLIKE)},
        ),
        Kind(SAVE, _saves, saves.own_rows, within=COLLECTION, counters={CounterKind.SAVES: _if_any}),
        Kind(COLLECTION, _collections, collections.own_rows, COLLECTIONS),
        Kind(
            FOLLOW,
            _follows,
            follows.own_rows,
            USERS,
            guards=(BLOCK, BLOCKER),
            counters={CounterKind.FOLLOWERS: _if_state(FollowState.FOLLOWS)},
        ),
        Kind(BLOCK, _boundaries, _boundary(BLOCK), USERS, ends=FOLLOW, is_boundary=True),
        Kind(MUTE, _boundaries, _boundary(MUTE), USERS, is_boundary=True, expires=True),
        Kind(THREAD, _boundaries, _boundary(THREAD), is_boundary=True),
    )
}
"""All kinds by name."""

COUNTED = {counter: (kind, weight) for kind in KINDS.values() for counter, weight in kind.counters.items()}
"""For each counter to which states add: the kind of set, and what a state adds."""
_COUNTED_THERE = [kind.name for kind in KINDS.values() if kind.counters and kind.business is None] + [VIEW, SHARE]


def changes_of(ref: EntityRef, counters: Iterable[int] = ()) -> list[Change]:
    """Returns all changes that can concern the counters of an entity, post or comment. `counters` are the ids of the
    counters that its business defines.
    """
    return [(what, ref) for what in (*_COUNTED_THERE, *map(str, counters))]
