"""All kinds of outgoing events: those that the files of `store/outgoing/events` define."""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import TypeVar

from domain.packages import modules_of
from store.outgoing.event_kinds import EventKind

Value = TypeVar("Value", int, str)


def by(value_of: Callable[[EventKind], Value], kinds: Iterable[EventKind]) -> dict[Value, EventKind]:
    """Returns the given kinds of events by their number or their label, which `value_of` returns for a kind. Raises
    ValueError if two kinds have the same value.
    """
    found: dict[Value, EventKind] = {}
    for kind in kinds:
        value = value_of(kind)
        if (other := found.setdefault(value, kind)) is not kind:
            raise ValueError(f"Two kinds of events have {value!r}: {other.event.__name__} and {kind.event.__name__}.")
    return found


_MODULES = modules_of("store.outgoing.events")
_ALL = [one for module in _MODULES for one in vars(module).values() if isinstance(one, EventKind)]
KINDS: Mapping[int, EventKind] = by(attrgetter("number"), _ALL)
"""The kinds by their numbers in rows."""
KINDS_BY_LABEL: Mapping[str, EventKind] = by(attrgetter("label"), _ALL)
"""The kinds by their names in events."""
