"""All kinds of own sets, such as likes and follows. To add a kind, add a module with a `KIND`."""

from collections.abc import Iterable

from domain.packages import modules_of
from models.actions import SHARE, VIEW
from settings import USERS
from store.own_sets.kind import Kind, StateCounter

KINDS: dict[str, Kind] = {module.KIND.name: module.KIND for module in modules_of(__name__)}
"""All kinds by name."""
STATE_COUNTERS: dict[int, tuple[Kind, StateCounter]] = {
    counter.number: (kind, counter) for kind in KINDS.values() for counter in (*kind.counters, *kind.more_counters)
}
"""The counters to which states add, by number, each with the kind of the states."""
_COUNTED = (*(kind.name for kind in KINDS.values() if kind.counters and kind.business != USERS), VIEW, SHARE)


def counted_changes(counters: Iterable[int] = ()) -> list[str]:
    """Returns the names of all kinds of changes that can change the counters of an entity, post or comment: changes of
    own sets, views, shares, and `counters`, the ids of the counters that its business defines.
    """
    return [*_COUNTED, *map(str, counters)]
