"""Outgoing events that are about a destination itself, such as lost events. They are not stored before they are sent,
so their kinds need no numbers.
"""

from datetime import datetime
from typing import Literal

from store.outgoing.cursors import Cursor
from store.outgoing.event_kinds import Digits, Event, Json, label_of
from workers.outgoing.render import Rendered, envelope, time_of


class Lost(Json):
    """The positions and times between which events of the partition were removed before they were sent."""

    after_position: Digits
    through_position: Digits
    after: datetime
    through: datetime


class EventsLost(Event):
    """Events were removed before they were sent, because the destination was behind for too long. Read what you need
    through the API again.
    """

    kind: Literal["events.lost"]
    data: Lost


class Test(Json):
    """Nothing."""


class EventsTest(Event):
    """An operator tests the destination with `plaudit webhooks test`."""

    kind: Literal["events.test"]
    data: Test


def lost(cursor: Cursor) -> Rendered:
    """Returns the event that tells a destination which events were removed before they were sent: those between the
    positions in `cursor`.
    """
    p, label = cursor.p, label_of(EventsLost)
    after, through = cursor.lost_after or 0, cursor.lost_through or 0
    data = {
        "afterPosition": str(after),
        "throughPosition": str(through),
        "after": time_of(after),
        "through": time_of(through),
    }
    return envelope(f"{p}-{through}-{label}-{after}", label, p, through, through, "user", data)


def sample(now_ms: int) -> Rendered:
    """Returns an event for a test of a destination. `now_ms` is the time of the event, in milliseconds since the Unix
    epoch.
    """
    label, position = label_of(EventsTest), now_ms * 1000
    return envelope(f"0-{position}-{label}", label, 0, position, position, "user", {})
