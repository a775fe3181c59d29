"""Chooses the ids of objects that were created in the past. An id contains the time at which the object was created."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from itertools import chain

from domain.ids import past_ids


async def choose(
    wanted: Mapping[str, int],
    taken: Callable[[Collection[int]], Awaitable[set[int]]],
    first: Mapping[str, int] | None = None,
) -> dict[str, int]:
    """Returns a new id for each object in `wanted`, which has the times of the objects by name, in milliseconds since
    the Unix epoch. `taken` returns those of some ids that other objects have. `first` has, by name, ids that objects
    get if they are not taken.
    """
    given = first or {}
    candidates = {
        name: chain([given[name]] if name in given else [], past_ids(ms, name)) for name, ms in wanted.items()
    }
    chosen: dict[int, str] = {}
    left = list(wanted)
    while left:
        tried = {name: next(candidates[name]) for name in left}
        used = await taken(tried.values())
        left = []
        for name, id_ in tried.items():
            if id_ in used or id_ in chosen:
                left.append(name)
            else:
                chosen[id_] = name
    return {name: id_ for id_, name in chosen.items()}
