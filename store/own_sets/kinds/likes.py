"""The own sets of a user's reactions: one set for each business, which is a line of content such as videos."""

from collections.abc import Callable

from models.counters import CounterKind, EntityRef
from models.likes import REACT, Reaction, bit_of, counter_of, counts_as, kinds_in
from settings import FIRST_REACTION, LAST_REACTION, Business, Settings
from store.own_sets.kind import DAY_MS, Bounds, Kind, StateCounter
from store.reactions import likes
from store.reactions.counts import CounterDeltas

_KINDS = "reactions WHERE business_id = :business AND {chosen} AND kinds IS NOT NULL"
_ROWS = "reactions WHERE business_id = :business AND {chosen} AND state ="


def _bounds(_: Settings, business: Business | None) -> Bounds:
    assert business
    idle_ms = business.reactions_idle_days * DAY_MS
    return Bounds(business.recent_reactions, None, idle_ms, exact=bool(business.reactions))


def _if(reaction: Reaction) -> Callable[[int], int]:
    return lambda state: int(counts_as(state) == reaction)


def _if_kind(kind: int) -> Callable[[int], int]:
    return lambda state: kinds_in(state) >> (kind - 1) & 1


def _likes_by_other_kinds(state: int) -> int:
    return int(counts_as(state) == Reaction.LIKE and not kinds_in(state) & Reaction.LIKE)


def _of_kind(kind: int) -> StateCounter:
    rows = f"{_KINDS} AND kinds & {bit_of(kind)} <> 0"
    return StateCounter(counter_of(kind), f"reactions {kind}", _if_kind(kind), rows)


KIND = Kind(
    REACT,
    _bounds,
    likes.own_rows,
    by_business=True,
    page=likes.likes_page,
    counters=(
        StateCounter(CounterKind.LIKES, "likes", _if(Reaction.LIKE), f"{_ROWS} {Reaction.LIKE:d}"),
        StateCounter(CounterKind.DISLIKES, "dislikes", _if(Reaction.DISLIKE), f"{_ROWS} {Reaction.DISLIKE:d}"),
    ),
    more_counters=(
        StateCounter(
            CounterKind.LIKES_BY_OTHER_KINDS,
            "likes_by_other_kinds",
            _likes_by_other_kinds,
            f"{_KINDS} AND state = {Reaction.LIKE:d} AND kinds & {bit_of(Reaction.LIKE)} = 0",
        ),
        *map(_of_kind, range(FIRST_REACTION, LAST_REACTION + 1)),
    ),
    is_listed=lambda state: counts_as(state) == Reaction.LIKE,
)


def more_counters(*states: int) -> list[StateCounter]:
    """Returns the counters of `KIND.more_counters` to which at least one of these states adds."""
    if max(states) <= Reaction.OTHER:
        return []
    return [one for one in KIND.more_counters if any(map(one.weight, states))]


def add_of_day(deltas: CounterDeltas, ref: EntityRef, day: int, was: int, state: int) -> None:
    """Adds to `deltas` what the change of a user's state about the object `ref` adds to the reactions of each kind of a
    day. Days are counted from the Unix epoch.
    """
    for counter in more_counters(was, state):
        if (kind := counter.number - counter_of(0)) >= FIRST_REACTION:
            deltas.add_reactions_of_day(ref, day, kind, counter.weight(state) - counter.weight(was))
