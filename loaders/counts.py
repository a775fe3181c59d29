"""Counters as a viewer sees them: the values that all users see, plus the viewer's own pending changes. A pending
change is accepted, but may not be in these values yet. Each change is counted once.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from loaders.loader import Loader
from models.actions import SHARE, VIEW
from models.counters import Counter, CounterKind, Counts, EntityRef
from models.follows import FollowState
from settings import Business
from store.own_sets.kind import if_state
from store.own_sets.kinds import KINDS
from store.write_log.pending import PendingHistory, overlay


def _as_counted(state: int) -> int:
    return state


_FOLLOWS = if_state(FollowState.FOLLOWS)
_COUNTED: dict[str, Sequence[tuple[int, Callable[[int], int]]]] = {
    **{kind.name: [(one.number, one.weight) for one in kind.counters] for kind in KINDS.values()},
    VIEW: [(CounterKind.VIEWS, _as_counted)],
    SHARE: [(CounterKind.SHARES, _as_counted)],
}
"""For each kind of change, such as a reaction or a view: the counters of the changed object that it changes. Each
counter is a pair: its number, and a function that returns what a state, such as a like, adds to it.

A kind that is a number is not listed: the number is that of a counter that a business (a kind of content) defines. Any
other kind that is not listed, such as one of a later version, changes no counter.
"""
_MORE = {
    kind.name: [(one.number, one.weight) for one in kind.more_counters] for kind in KINDS.values() if kind.more_counters
}
"""For each kind of change that has such counters: the counters that only states above `_USUAL` change."""
_USUAL = 2
"""The highest state that changes only the usual counters."""


def seen(
    counts: Counts,
    partition: int,
    pending: Mapping[str, PendingHistory],
    *,
    follows: Sequence[PendingHistory] = (),
    friendships: Sequence[PendingHistory] = (),
) -> Counts | None:
    """Returns `counts`, the counters of an entity or user, with the viewer's own changes, each counted once. Show the
    result to this viewer only.

    `pending` has the viewer's pending changes of this object, by kind of change. They are accepted, but may not be in
    `counts` yet. `partition` is the number of the partition of the write log that has all changes of this viewer.

    Pass `follows` and `friendships` only if the counters are those of the viewer. `follows` has the viewer's pending
    follows and unfollows of all users; `friendships` has those of users who follow the viewer. The counter of friends
    of any other user lacks the viewer's changes. Counters of posts, of comments and of received likes lack all pending
    changes.

    Returns None if it is unknown which of the changes `counts` includes.
    """
    changes = [
        (number, weight, [history])
        for what, history in pending.items()
        for number, weight in ([(int(what), _as_counted)] if what.isdigit() else _COUNTED.get(what, ()))
    ]
    for what, counters in _MORE.items():
        if what in pending and max(states := pending[what].states) > _USUAL:
            changes += [(one, weight, [pending[what]]) for one, weight in counters if any(map(weight, states))]
    if follows:
        changes += [(CounterKind.FOLLOWING, _FOLLOWS, [*follows]), (CounterKind.FRIENDS, _FOLLOWS, [*friendships])]
    shown: dict[int, Counter] = {}
    for number, weight, histories in changes:
        value = overlay(counts.get(number), partition, histories, weight)
        if value is None:
            return None
        shown[number] = Counter(value, {})
    return Counts(counts.version, counts.kinds | shown)


class ActionCounts:
    """A loader of the counters that businesses (kinds of content) define, such as `plays`. A key is an object and the
    name of a counter. The counters are read in the batch of all other counters.

    The value is None if the object's business has no counter with this name.
    """

    def __init__(self, counts: Loader[EntityRef, Counts], businesses: Mapping[int, Business]) -> None:
        self._counts = counts
        self._businesses = businesses

    async def load(self, key: tuple[EntityRef, str]) -> int | None:
        """Loads one counter; None if the object's business has no counter with this name. Raises an exception if the
        counters of the object cannot be read.
        """
        value = self._value(key, await self._counts.load(key[0]))
        assert not isinstance(value, Exception)  # `load` has raised it
        return value

    def ask(self, keys: Sequence[tuple[EntityRef, str]], *, each: bool = False) -> Awaitable[list[Any]]:
        """Starts to load counters, and returns an awaitable for their values. Awaiting raises the first exception. With
        `each`, exceptions are returned in the place of values instead.
        """
        return self._values(keys, self._counts.ask([ref for ref, _ in keys], each=each))

    async def _values(self, keys: Sequence[tuple[EntityRef, str]], coming: Awaitable[list[Any]]) -> list[Any]:
        return list(map(self._value, keys, await coming))

    def _value(self, key: tuple[EntityRef, str], loaded: Counts | Exception) -> int | Exception | None:
        ref, name = key
        counter = self._businesses[ref.business_id].counter(name)
        if isinstance(loaded, Exception):
            return loaded
        return loaded.of(counter.id) if counter else None
