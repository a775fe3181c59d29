"""Parts of journal entries that entries of several kinds have."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from models.counters import EntityRef
from store.write_log.journal import ClientTrace, Entry

E = TypeVar("E")
Parsers = Mapping[str, Callable[[Entry, dict[str, Any]], E]]
"""Functions that parse a journal entry of a kind, with its data, and return its event."""

TEXTS = frozenset({str, type(None)})
"""The types of a text that may be missing."""
FLAGS = {b"0": False, b"1": True}
"""The values of a field that is true or false."""


def ref_of(data: dict[str, Any]) -> EntityRef:
    """Returns the reference of the entity, post, comment or user that an entry is about."""
    return EntityRef(int(data["business"]), int(data["entity"]))


def check_other(actor: int, other: Any) -> int:
    """Returns the id of the other user of a relation. Raises ValueError for a value that no other user has."""
    if type(other) is not int or min(actor, other) <= 0 or actor == other:
        raise ValueError(f"{actor} has no relation to {other!r}")
    return other


def check_names(names: Sequence[Any]) -> tuple[str, ...]:
    """Returns the names of topics. Raises TypeError if one is not a string."""
    if not {str}.issuperset(map(type, names)):
        raise TypeError(f"{names!r} contains values that are not strings")
    return tuple(names)


def trace_of(data: dict[str, Any]) -> ClientTrace:
    """Returns the client that sent the change. Raises TypeError if a part of it is not a string."""
    trace = ClientTrace(data.get("source"), data.get("ip"), data.get("device"), data.get("client"))
    if not TEXTS.issuperset(map(type, trace)):
        raise TypeError(f"{trace!r} contains values that are not strings")
    return trace
