"""Defines a kind of own set. An own set holds the states of one user about objects: what the user likes, saves,
follows, blocks or mutes. The kinds are in `store/own_sets/kinds/`, one file for each.
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
ReadRowsOfUsers = Callable[[Reader, Sequence[int]], Awaitable[dict[int, list[Member]]]]
"""Reads the whole sets of several users from rows, in one query."""


ReadPage = Callable[[Postgres, int, int, Item, int], Awaitable[list[Item]]]
"""Reads the objects in state 1 of one user's set from rows, newest first: the user, the business, the item before the
page, and how many objects to read at most.
"""


async def _no_page(*_: object) -> list[Item]:
    raise NotImplementedError("This kind has no list of one business.")


class StateCounter(NamedTuple):
    """A counter of an object, to which the states of all users about the object add."""

    number: int
    """The number under which the counter is stored. For a counter of its own, a kind takes a number below 100 that no
    other counter has (models/counters.py).
    """
    name: str
    """The name of the counter in the reports of `plaudit reconcile`."""
    weight: Callable[[int], int]
    """Returns what a state adds to the counter."""
    rows: str
    """The SQL of the rows that the counter counts: a table with a condition. `{chosen}` stands for a condition on the
    column `entity`, and `:business` for the business of the object.
    """
    entity: str = "entity_id"
    """The column of the rows that has the id of the object."""


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
    page: ReadPage = _no_page
    """Reads a page of a user's set in one business from rows. Raises NotImplementedError if the kind has no such
    list.
    """
    counters: Sequence[StateCounter] = ()
    """The counters of an object to which its state adds."""
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


def limited(limit: Callable[[Settings], int]) -> Callable[[Settings, Business | None], Bounds]:
    """Returns the bounds of sets with a limit, which Redis keeps for a week."""
    return lambda settings, _: Bounds(None, limit(settings), 7 * DAY_MS)


def if_state(wanted: int) -> Callable[[int], int]:
    """Returns the weight of a counter that counts the objects in one state."""
    return lambda state: int(state == wanted)


def if_any(state: int) -> int:
    """Returns the weight of a counter that counts the objects in any state but 0."""
    return int(state != 0)
