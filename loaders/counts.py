"""Counters as a viewer sees them: the published values plus the viewer's own pending changes, each counted once."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from loaders.loader import Loader
from models.actions import SHARE, VIEW
from models.counters import CounterKind, Counts, EntityRef
from models.follows import FOLLOW, FollowState
from settings import USERS, Business
from store.own_sets.kind import if_state
from store.own_sets.kinds import STATE_COUNTERS
from store.write_log.pending import Pending, PendingHistory, is_known, overlay


def _as_counted(state: int) -> int:
    return state


_CHANGES: dict[int, tuple[str, Callable[[int], int]]] = {
    **{number: (kind.name, counter.weight) for number, (kind, counter) in STATE_COUNTERS.items()},
    CounterKind.VIEWS: (VIEW, _as_counted),
    CounterKind.SHARES: (SHARE, _as_counted),
    CounterKind.FOLLOWING: (FOLLOW, if_state(FollowState.FOLLOWS)),
    CounterKind.FRIENDS: (FOLLOW, if_state(FollowState.FOLLOWS)),
}
"""For each counter, the kind of the pending changes that move it, and what a state adds to it."""


@dataclass(slots=True, eq=False)
class SeenCounts:
    """The counters of an entity or user with a viewer's pending changes. They are for this viewer only; other viewers
    see `Counts`.
    """

    ref: EntityRef
    counts: Counts
    """The published counters."""
    pending: Pending
    is_own: bool = False
    """Whether the counters are those of the viewer."""
    fans: frozenset[int] = frozenset()
    """The users with a pending follow or unfollow by the viewer who themselves follow the viewer."""

    @property
    def is_known(self) -> bool:
        """Tells whether the counters are known. A counter is unknown while the viewer has a pending change for which
        the state before it is unknown.
        """
        is_user = self.ref.business_id == USERS
        about = [
            (counter, self.pending.of(kind.name, self.ref))
            for counter, (kind, _) in STATE_COUNTERS.items()
            if (kind.business == USERS) is is_user
        ]
        if self.is_own:
            followed = tuple(self.pending.all_of(FOLLOW).values())
            about = [(CounterKind.FOLLOWING, followed), (CounterKind.FRIENDS, followed)]
        return all(is_known(self.counts.get(kind), self.pending.partition, some) for kind, some in about)

    def of(self, counter: int) -> int:
        """Returns the value of a counter, by its number.

        The counters of posts, comments and received likes lack the viewer's pending changes: posts and comments count
        once they are approved, and likes once they are published. So does the number of friends of another user.
        """
        what, weight = _CHANGES.get(counter) or (str(counter), _as_counted)
        histories: Iterable[PendingHistory] = ()
        if counter not in (CounterKind.FOLLOWING, CounterKind.FRIENDS):
            histories = self.pending.of(what, self.ref)
        elif self.is_own:
            followed = self.pending.all_of(FOLLOW)
            is_friends = counter == CounterKind.FRIENDS
            histories = [one for user, one in followed.items() if not is_friends or user.entity_id in self.fans]
        return overlay(self.counts.get(counter), self.pending.partition, histories, weight)


class Counted(Protocol):
    """The counters of an object: `Counts`, or `SeenCounts` if the viewer has pending changes."""

    def of(self, counter: int) -> int:
        """Returns the value of a counter, by its number."""


class ActionCounts:
    """A loader of counters that businesses define, by the object and the name of the counter. It reads them in the
    batch of all other counters.

    The value is None if the object's business has no counter with this name.
    """

    def __init__(self, counts: Loader[EntityRef, Counted], businesses: Mapping[int, Business]) -> None:
        self._counts = counts
        self._businesses = businesses

    async def load(self, key: tuple[EntityRef, str]) -> int | None:
        """Loads one counter. Raises the exception of the counters of the object."""
        value = self._value(key, await self._counts.load(key[0]))
        assert not isinstance(value, Exception)  # `load` has raised it
        return value

    def ask(self, keys: Sequence[tuple[EntityRef, str]], *, each: bool = False) -> Awaitable[list[Any]]:
        """Starts to load counters, and returns an awaitable for their values. With `each`, each exception is in the
        place of a value instead of raised.
        """
        return self._values(keys, self._counts.ask([ref for ref, _ in keys], each=each))

    async def _values(self, keys: Sequence[tuple[EntityRef, str]], coming: Awaitable[list[Any]]) -> list[Any]:
        return list(map(self._value, keys, await coming))

    def _value(self, key: tuple[EntityRef, str], loaded: Counted | Exception) -> int | Exception | None:
        ref, name = key
        counter = self._businesses[ref.business_id].counter(name)
        if isinstance(loaded, Exception):
            return loaded
        return loaded.of(counter.id) if counter else None
