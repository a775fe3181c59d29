"""Builds the arguments of the script that loads the own sets of a user into Redis (store/scripts/fill_own_sets.lua)."""

from collections.abc import Callable, Iterator, Sequence

from models.counters import EntityRef
from models.own_sets import Member


def filling(
    name: Callable[[EntityRef], str],
    prefix: str,
    members: Sequence[Member],
    floor: int | str,
    cap: int | None,
    is_listed: Callable[[int], bool] = lambda _: True,
) -> list[object]:
    """Returns the arguments of the script for one set, to which the script adds `members`. `name` returns the name of
    an object in the set. `prefix` is the beginning of the members' fields in the hash of pending changes. `is_listed`
    tells whether lists of the set have members in a state.

    A set without a floor, the moment above which it is complete, gets the floor `floor`; 0 means that the set is
    complete. If `floor` is an empty text, no floor is set, and members are added only while the set has fewer than 1.1
    times `cap` members (None: no limit).
    """
    return [floor, cap or "", prefix, len(members), *_triples(name, members, is_listed)]


def _triples(
    name: Callable[[EntityRef], str], members: Sequence[Member], is_listed: Callable[[int], bool]
) -> Iterator[object]:
    for moment, ref, state, text in members:
        yield moment if is_listed(state) else -moment
        yield name(ref)
        yield text.encode() or (state if state > 2 else "")
