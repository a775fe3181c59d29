"""The properties that all events have, and parsers for the parts of journal entries that several kinds share."""

from typing import Any, Protocol

from models.counters import EntityRef
from models.patches import Published
from store.notifications.notifications import Marked
from store.write_log.journal import ClientTrace, Entry
from store.write_log.pending import PublishedChange

RemovableChange = PublishedChange | Published | Marked | None
"""A pending change of an actor that can be removed when it is published; None if an event leaves no pending change."""

TEXTS = frozenset({str, type(None)})
"""The types that an optional text in a journal entry may have."""
FLAGS = {b"0": False, b"1": True}
"""The meaning of the two values of a yes-or-no field in a journal entry."""


class Event(Protocol):
    """A change that a journal entry records: the partition and version of the entry, the actor, and the changed
    object.
    """

    @property
    def partition(self) -> int: ...
    @property
    def version(self) -> int: ...
    @property
    def actor_id(self) -> int: ...
    @property
    def ref(self) -> EntityRef:
        """The object that the event is about: an entity, post, comment, user or collection."""
        ...


def head_of(entry: Entry, data: dict[str, Any]) -> tuple[int, int, int, EntityRef]:
    """Returns the values with which most events begin: the partition and version of the journal entry, the actor, and
    the object that the entry is about.
    """
    return entry.partition, entry.version, int(data["actor"]), EntityRef(int(data["business"]), int(data["entity"]))


def trace_of(data: dict[str, Any]) -> ClientTrace:
    """Returns the client that sent the change: the place in the app, the network address, the device and the kind of
    client. Raises TypeError if one of these is not a string.
    """
    trace = ClientTrace(data.get("source"), data.get("ip"), data.get("device"), data.get("client"))
    if not TEXTS.issuperset(map(type, trace)):
        raise TypeError(f"{trace!r} contains values that are not strings")
    return trace


def ground_of(data: dict[str, Any]) -> str | None:
    """Returns the name of the ground of a moderation decision; None if it names none. Raises TypeError if it is not a
    text.
    """
    ground = data.get("ground")
    if type(ground) not in TEXTS:
        raise TypeError(f"{ground!r} is not a text")
    return ground
