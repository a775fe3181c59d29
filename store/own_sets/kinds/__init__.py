"""All kinds of own sets. To add a kind, add a module with a `KIND`."""

from collections.abc import Iterable

from domain.packages import modules_of
from models.actions import SHARE, VIEW
from models.counters import EntityRef
from settings import USERS
from store.own_sets.kind import Kind, StateCounter
from store.write_log.pending import PendingKey

KINDS: dict[str, Kind] = {module.KIND.name: module.KIND for module in modules_of(__name__)}
"""All kinds by name."""
STATE_COUNTERS: dict[int, tuple[Kind, StateCounter]] = {
    counter.number: (kind, counter) for kind in KINDS.values() for counter in kind.counters
}
"""The counters to which states add, by number, each with the kind of the states."""
_COUNTED = (*(kind.name for kind in KINDS.values() if kind.counters and kind.business != USERS), VIEW, SHARE)


def changes_of(ref: EntityRef, counters: Iterable[int] = ()) -> list[PendingKey]:
    """Returns all changes that can concern the counters of an entity, post or comment. `counters` are the ids of the
    counters that its business defines.
    """
    return [(what, ref) for what in (*_COUNTED, *map(str, counters))]
