"""All kinds of own sets. To add a kind, add a module with a `KIND`."""

import sys
from collections.abc import Iterable

from domain.packages import modules_of
from models.actions import SHARE, VIEW
from models.counters import EntityRef
from store.own_sets.kind import Kind, StateCounter
from store.write_log.pending import PendingKey

KINDS: dict[str, Kind] = {module.KIND.name: module.KIND for module in modules_of(sys.modules[__name__])}
"""All kinds by name."""
STATE_COUNTERS: dict[int, tuple[Kind, StateCounter]] = {
    counter.number: (kind, counter) for kind in KINDS.values() for counter in kind.counters
}
"""The counters to which states add, by number, each with the kind of the states."""
_COUNTED = [kind for kind in KINDS.values() if kind.counters]


def changes_of(ref: EntityRef, counters: Iterable[int] = ()) -> list[PendingKey]:
    """Returns all changes that can concern the counters of an entity, post or comment. `counters` are the ids of the
    counters that its business defines.
    """
    kinds = [kind.name for kind in _COUNTED if kind.business in (None, ref.business_id)]
    return [(what, ref) for what in (*kinds, VIEW, SHARE, *map(str, counters))]
