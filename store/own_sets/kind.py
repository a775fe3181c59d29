"""Defines a kind of own set. An own set holds the states of one user about objects of one kind, such as the posts that
the user likes. There is a kind for likes, saves, follows and so on, each in its file in `store/own_sets/kinds/`.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from models.counters import EntityRef
from models.own_sets import Member
from settings import Business, Settings
from store.cache.lists import Item
from store.postgres.client import Postgres, Reader

DAY_MS = 86_400_000
_HIDDEN = 2
"""The state whose members lists leave out: a dislike, or a request to follow."""


class Bounds(NamedTuple):
    """How many members an own set may have in Redis. With `cap`, Redis keeps the newest members, up to a tenth more
    than `cap`, and a floor: the moment below which rows must be read. With `limit`, a user may have at most so many
    members, and Redis keeps all of them. A set expires `idle_ms` milliseconds after its last change or load.
    """

    cap: int | None
    limit: int | None
    idle_ms: int
    exact: bool = False
    """Whether lookups must tell the states above 2 from each other. Otherwise they are looked up as state 1 or 2."""


ReadRows = Callable[[Reader, int, int, Sequence[EntityRef], int], Awaitable[Sequence[Member]]]
"""Reads members of one user's set from rows. Takes the user, the business of the set (used only with `by_business`),
the objects to look up, and how many of the newest members to add. If this number is not 0, a set with a limit is read
whole.
"""
CountRows = Callable[[Reader, int, int], Awaitable[int]]
"""Counts the members of one user's set in rows. Takes the user, and the time in milliseconds since the Unix epoch:
members that have expired then are not counted.
"""
ReadRowsOfUsers = Callable[[Reader, Sequence[int]], Awaitable[dict[int, list[Member]]]]
"""Reads the whole sets of several users from rows, in one query. Returns the members by user id."""


ReadPage = Callable[[Postgres, int, int, Item, int], Awaitable[list[Item]]]
"""Reads the objects in state 1 of one user's set from rows, newest first: the user, the business, the item before the
page, and how many objects to read at most.
"""


class StateCounter(NamedTuple):
    """A counter of an object, to which users' states about the object add: for example, the number of users who like
    the object. Its value is the sum of `weight` over the states of all users.
    """

    number: int
    """The number under which the counter is stored. A new counter takes a number below 100 that no other one has
    (models/counters.py).
    """
    name: str
    """The name of the counter in the reports of `plaudit reconcile`."""
    weight: Callable[[int], int]
    """Maps a state to what it adds to the counter: 0 or 1."""
    rows: str
    """The rows that `plaudit reconcile` counts, as the SQL after FROM: a table with a condition. `{chosen}` stands for
    a condition on the column that `entity` names, and `:business` for the business of the object.
    """
    entity: str = "entity_id"
    """The column of the rows that has the id of the object."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of own set, such as likes or follows: how large the sets may be, which states they have, which counters
    the states change, and how members are read from rows. State 0 stands for an object that is not in the set.
    """

    name: str
    """The kind of the journal entries. Redis keys and the fields of pending changes contain it."""
    bounds: Callable[[Settings, Business | None], Bounds]
    """Returns how large a set may be. Takes the business of the set; None if the user has one set for all businesses.
    """
    rows: ReadRows
    business: int | None = None
    """The business of all members; None if members can be of any business."""
    count: CountRows | None = None
    """Counts the members of a set with a limit; None if sets have none."""
    by_business: bool = False
    """Whether a user has one set for each business."""
    page: ReadPage | None = None
    """Reads a page of a user's set in one business from rows. None if the kind has no such list."""
    counters: Sequence[StateCounter] = ()
    """The counters of objects that states of this kind change."""
    more_counters: Sequence[StateCounter] = ()
    """The counters that only states above 2 change."""
    is_listed: Callable[[int], bool] = lambda state: state != _HIDDEN
    """Tells whether a member in this state is in lists of the set. The score of other members is negative."""
    within: str | None = None
    """Another kind. A state above 1 must be the id of a member of the user's set of that kind: a save may only be in a
    collection that the user has.
    """
    guards: Sequence[str] = ()
    """Names of the actor's sets of users. If one of them contains the object, a change to a state above 0 is refused
    with BLOCKED.
    """
    ends: str | None = None
    """Another kind of set. When an object joins this set, it is removed from that one: a block ends a follow."""
    is_boundary: bool = False
    """Whether a change makes processes read all of the user's boundaries again (store/own_sets/boundaries.py)."""
    expires: bool = False
    """Whether the state is the time, in milliseconds since the Unix epoch, at which the member expires."""
    businesses: Callable[[int], bool] = lambda _: True
    """Tells whether members can be of the business with a number. Not used if `business` is set."""

    def may_have(self, business_id: int) -> bool:
        """Tells whether members can be of the business with this number."""
        return self.businesses(business_id) if self.business is None else self.business == business_id

    def member(self, ref: EntityRef) -> str:
        """Returns the name that an object has as a member of the set in Redis."""
        if self.by_business or self.business is not None:
            return str(ref.entity_id)
        return f"{ref.business_id}:{ref.entity_id}"

    def prefix(self, business_id: int) -> str:
        """Returns the prefix of the set's fields in the Redis hash of pending changes. `business_id` is the business of
        the set.
        """
        if not self.by_business and self.business is None:
            return f"{self.name}:"
        return f"{self.name}:{self._of(business_id)}:"

    def ref(self, member: bytes, business_id: int) -> EntityRef:
        """Returns the object that a member of the set in Redis stands for. `business_id` is the business of the set."""
        if self.by_business or self.business is not None:
            return EntityRef(self._of(business_id), int(member))
        business, _, entity = member.partition(b":")
        return EntityRef(int(business), int(entity))

    def _of(self, business_id: int) -> int:
        return business_id if self.business is None else self.business


def limited(limit: Callable[[Settings], int]) -> Callable[[Settings, Business | None], Bounds]:
    """Returns a function for `Kind.bounds`. Each set may have as many members as `limit` says, and expires a week after
    its last change or load.
    """
    return lambda settings, _: Bounds(None, limit(settings), 7 * DAY_MS)


def if_state(wanted: int) -> Callable[[int], int]:
    """Returns a function for `StateCounter.weight` that counts the users in the state `wanted`."""
    return lambda state: int(state == wanted)


def if_any(state: int) -> int:
    """Returns 1 for any state but 0. Used as a `StateCounter.weight` that counts the users who have the object in the
    set.
    """
    return int(state != 0)
