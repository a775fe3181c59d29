"""Counters as a viewer sees them: the published values plus the viewer's own pending changes, each counted once."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from loaders.loader import Loader
from models.actions import SHARE, VIEW
from models.counters import CounterKind, Counts, EntityRef
from models.follows import FOLLOW, FollowState
from settings import USERS, Business
from store.own_sets.kind import if_state
from store.own_sets.kinds import STATE_COUNTERS
from store.write_log.pending import Pending, is_known, overlay


def _as_counted(state: int) -> int:
    return state


_FOLLOWS = if_state(FollowState.FOLLOWS)


class SeenCounts:
    """The counters of an entity or user with a viewer's pending changes. They are for this viewer only; other viewers
    see `Counts`.
    """

    __slots__ = ("_counts", "_fans", "_own", "_pending", "_ref")

    def __init__(
        self, ref: EntityRef, counts: Counts, pending: Pending, own: bool = False, fans: frozenset[int] = frozenset()
    ) -> None:
        """Combines published counters with the viewer's pending changes. `own` tells whether the counters are those of
        the viewer. `fans` are the users with a pending follow or unfollow by the viewer who themselves follow the
        viewer.
        """
        self._ref = ref
        self._counts = counts
        self._pending = pending
        self._own = own
        self._fans = fans

    @property
    def is_known(self) -> bool:
        """Tells whether the counters are known. A counter is unknown while the viewer has a pending change for which
        the state before it is unknown.
        """
        is_user = self._ref.business_id == USERS
        about = [
            (counter, self._pending.of(kind.name, self._ref))
            for counter, (kind, _) in STATE_COUNTERS.items()
            if (kind.business == USERS) is is_user
        ]
        if self._own:
            followed = tuple(self._pending.all_of(FOLLOW).values())
            about = [(CounterKind.FOLLOWING, followed), (CounterKind.FRIENDS, followed)]
        return all(is_known(self._counts.get(kind), self._pending.partition, some) for kind, some in about)

    @property
    def likes(self) -> int:
        """Returns the number of users who like the entity."""
        return self._by_states(CounterKind.LIKES)

    @property
    def dislikes(self) -> int:
        """Returns the number of users who dislike the entity."""
        return self._by_states(CounterKind.DISLIKES)

    @property
    def saves(self) -> int:
        """Returns the number of users who have saved the entity."""
        return self._by_states(CounterKind.SAVES)

    @property
    def views(self) -> int:
        """Returns the number of views, one per viewer or device and hour."""
        return self._overlaid(CounterKind.VIEWS, VIEW, _as_counted)

    @property
    def shares(self) -> int:
        """Returns the number of shares."""
        return self._overlaid(CounterKind.SHARES, SHARE, _as_counted)

    def of(self, counter: int) -> int:
        """Returns the value of a counter by its number: a counter to which states add (store/own_sets/kinds/), or one
        that a business defines. Not for views, shares and counters of the viewer, which have properties.
        """
        if counter in STATE_COUNTERS:
            return self._by_states(counter)
        return self._overlaid(counter, str(counter), _as_counted)

    @property
    def followers(self) -> int:
        """Returns the number of users who follow the user."""
        return self._by_states(CounterKind.FOLLOWERS)

    @property
    def following(self) -> int:
        """Returns the number of users that the user follows."""
        mine = self._pending.all_of(FOLLOW).values() if self._own else ()
        return overlay(self._counts.get(CounterKind.FOLLOWING), self._pending.partition, mine, _FOLLOWS)

    @property
    def friends(self) -> int:
        """Returns the number of users who follow the user and are followed back. For other users than the viewer, it
        lacks the viewer's pending changes.
        """
        mine = self._pending.all_of(FOLLOW) if self._own else {}
        befriended = [history for user, history in mine.items() if user.entity_id in self._fans]
        return overlay(self._counts.get(CounterKind.FRIENDS), self._pending.partition, befriended, _FOLLOWS)

    # These lack the viewer's pending changes: posts and comments count once they are approved, and the likes that a
    # user has received once they are published.
    likes_received = property(attrgetter("_counts.likes_received"))
    posts = property(attrgetter("_counts.posts"))
    comments = property(attrgetter("_counts.comments"))
    root_comments = property(attrgetter("_counts.root_comments"))
    replies = property(attrgetter("_counts.replies"))

    def _by_states(self, number: int) -> int:
        kind, counter = STATE_COUNTERS[number]
        return self._overlaid(number, kind.name, counter.weight)

    def _overlaid(self, number: int, what: str, weight: Callable[[int], int]) -> int:
        histories = self._pending.of(what, self._ref)
        return overlay(self._counts.get(number), self._pending.partition, histories, weight)


class ActionCounts:
    """A loader of counters that businesses define, by the object and the name of the counter. It reads them in the
    batch of all other counters.

    The value is None if the object's business has no counter with this name.
    """

    def __init__(self, counts: Loader[EntityRef, Counts | SeenCounts], businesses: Mapping[int, Business]) -> None:
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

    def _value(self, key: tuple[EntityRef, str], loaded: Counts | SeenCounts | Exception) -> int | Exception | None:
        ref, name = key
        counter = self._businesses[ref.business_id].counter(name)
        if isinstance(loaded, Exception):
            return loaded
        return loaded.of(counter.id) if counter else None
