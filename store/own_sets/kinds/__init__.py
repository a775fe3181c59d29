"""All kinds of own sets, such as likes and follows. To add a kind, add a module with a `KIND`."""

from collections.abc import Iterable, Sequence
from functools import cache

from domain.packages import modules_of
from models.actions import SHARE, VIEW
from store.own_sets.kind import Kind, StateCounter

KINDS: dict[str, Kind] = {module.KIND.name: module.KIND for module in modules_of(__name__)}
"""All kinds by name."""
STATE_COUNTERS: dict[int, tuple[Kind, StateCounter]] = {
    counter.number: (kind, counter) for kind in KINDS.values() for counter in (*kind.counters, *kind.more_counters)
}
"""The counters to which states add, by number, each with the kind of the states."""


@cache
def _of_sets(business_id: int) -> Sequence[str]:
    return [kind.name for kind in KINDS.values() if kind.counters and kind.may_have(business_id)]


def counted_changes(business_id: int, counters: Iterable[int] = ()) -> list[str]:
    """Returns the names of all kinds of changes that can change the counters of an object of a business, such as a
    post: changes of own sets, views, shares, and `counters`, the ids of the counters that the business defines.
    """
    return [*_of_sets(business_id), VIEW, SHARE, *map(str, counters)]
