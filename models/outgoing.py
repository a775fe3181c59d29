"""Outgoing events: messages about changes of rows, which Plaudit sends to destinations outside of it; the destinations;
and which events each destination has got, has lost, or gets again.
"""

from enum import IntEnum
from typing import NamedTuple

from sqlalchemy import BigInteger, DateTime, LargeBinary, SmallInteger, Text
from sqlalchemy.dialects.postgresql import ARRAY

from models.base import column, key, nullable, table


class DestinationState(IntEnum):
    """Tells whether events are sent to a destination. The numbers are stored: never reuse one."""

    ACTIVE = 0
    PAUSED = 1
    """An operator paused the destination, or sending failed for too long. Events wait until it is resumed."""
    LAPSED = 2
    """The destination was so far behind that events were removed before they could be sent. The
    remaining events wait.
    """


OUTGOING_EVENTS_TABLE = table(
    "outgoing_events",
    key("p", SmallInteger),
    # The place in the order of the partition: microseconds since the Unix epoch, or the next free number. It follows
    # the order of commits, because a transaction holds the row of `outgoing_heads` from then on.
    key("position", BigInteger),
    # The number of an `EventKind` (store/outgoing/event_kinds.py).
    column("kind", SmallInteger),
    column("business_id", SmallInteger),
    # The version of the changed row. 0: the position is the version.
    column("version", BigInteger),
    # The key of the changed row, as a text.
    column("object", Text),
    # The change as JSON, with internal ids (store/outgoing/new_events.py).
    column("data", LargeBinary),
    # The bytes of all events of the partition up to this one, also of removed ones.
    column("bytes_through", BigInteger),
    shard="p",
)
"""The outgoing events: one row for each change of a row that a destination wants. `p` is the partition of the user
whose change it is. Rows stay for some time after they are sent, so that they can be sent again.
"""

OUTGOING_HEADS_TABLE = table(
    "outgoing_heads",
    key("p", SmallInteger),
    column("position", BigInteger),
    # How many events the last transaction added.
    column("added", BigInteger),
    column("bytes", BigInteger),
    shard="p",
)
"""For each partition: the position of its newest outgoing event, and the size of all its events so far, in bytes."""

EVENT_DESTINATIONS_TABLE = table(
    "event_destinations",
    key("name", Text),
    column("url", Text),
    # The kinds and businesses of the events to send; empty for all.
    column("kinds", ARRAY(SmallInteger)),
    column("businesses", ARRAY(SmallInteger)),
    # The secrets that sign requests, newest first.
    column("secrets", ARRAY(Text)),
    # A `DestinationState`.
    column("state", SmallInteger),
    # Why nothing is sent.
    nullable("reason", Text),
    # Not used; cursors have their own. A later version can drop it, when no version that names it is run any more.
    nullable("failing_since", DateTime(timezone=True)),
    local="few rows, which every transaction with changes reads whole",
)
"""The destinations of outgoing events, which are webhooks and Redis streams."""

EVENT_CURSORS_TABLE = table(
    "event_cursors",
    key("p", SmallInteger),
    key("name", Text),
    # The position of the last event that was sent.
    column("position", BigInteger),
    # The range of events that were removed before they were sent, which the destination has not been told yet.
    nullable("lost_after", BigInteger),
    nullable("lost_through", BigInteger),
    # The newest position before a replay moved the cursor back: events up to it were sent before.
    nullable("replayed_through", BigInteger),
    # Since when all attempts have failed, and why the last one failed; null after a success.
    nullable("failing_since", DateTime(timezone=True)),
    nullable("failure", Text),
    shard="p",
)
"""For each destination and partition: the last event that was sent, the range of events that were lost, and up to which
event a replay sends again. Only the worker that owns the partition sends its events.
"""


class Destination(NamedTuple):
    """A destination of outgoing events. `kinds` and `businesses` have the numbers of the kinds and businesses whose
    events it wants; empty means all. `secrets` sign requests, newest first. `reason` says why nothing is sent, or is
    None.
    """

    name: str
    url: str
    kinds: tuple[int, ...]
    businesses: tuple[int, ...]
    secrets: tuple[str, ...]
    state: DestinationState
    reason: str | None

    def wants(self, kind: int, business_id: int) -> bool:
        """Returns whether the destination wants events of this kind and business."""
        return (not self.kinds or kind in self.kinds) and (not self.businesses or business_id in self.businesses)


class StoredEvent(NamedTuple):
    """A stored outgoing event. `position` is its place in the order of its partition. `object` is the key of the
    changed row, `data` the change as JSON, and `version` the version of the row; if that is 0, `position` is the
    version.
    """

    position: int
    kind: int
    business_id: int
    version: int
    object: str
    data: bytes
