"""Builds the arguments of the script that loads the own sets of a user into Redis (store/scripts/fill_own_sets.lua)."""

from collections.abc import Callable, Iterator, Sequence

from models.counters import EntityRef
from models.own_sets import Member


def filling(
    name: Callable[[EntityRef], str], prefix: str, members: Sequence[Member], floor: int | str, cap: int | None
) -> list[object]:
    """Returns the arguments for one set. `name` returns the name of an object in the set; `prefix` begins the pending
    fields of its members. The set becomes complete down to `floor`. If `floor` is an empty text, the set's floor stays.
    `cap` is how many members the set keeps; None for all.
    """
    return [floor, cap or "", prefix, len(members), *_triples(name, members)]


def _triples(name: Callable[[EntityRef], str], members: Sequence[Member]) -> Iterator[object]:
    for moment, ref, state, text in members:
        yield -moment if state == 2 else moment
        yield name(ref)
        yield text.encode() or (state if state > 2 else "")
