"""The marks of users: all notifications up to a moment are read (read mark) or seen (seen mark), or one notification is
read. A moment is a position in the user's list of notifications.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import orjson

from models.notifications import NotificationRow

SEEN = "seen"
"""The kind of the journal entries of read marks."""
BADGE = "badge"
"""The kind of the journal entries of seen marks."""
READ_ALONE = "read_alone"
"""The kind of the journal entries that mark one notification as read."""


class Mark(NamedTuple):
    """What a user marks: all notifications up to and including `moment` as read. With `seen`, marks them only as seen.
    With `notification_id`, marks only this notification as read, which had this moment.
    """

    moment: int
    seen: bool = False
    notification_id: int | None = None

    @property
    def kind(self) -> str:
        """Returns the kind of the mark's journal entries."""
        return BADGE if self.seen else SEEN if self.notification_id is None else READ_ALONE

    @property
    def pending(self) -> str:
        """Returns the beginning of the field of the mark among the user's pending marks. The version of its journal
        entry follows. Processes of older versions know only read marks. They read each field as a read mark up to
        the number before the first colon, so this number is 0 for other marks.
        """
        if self.seen:
            return f"0:s{self.moment}:"
        return f"{self.moment}:" if self.notification_id is None else f"0:{self.notification_id}:{self.moment}:"

    def entry(self, user_id: int) -> bytes:
        """Returns the data of the journal entry of this mark by a user, as JSON."""
        data = {"actor": user_id, "moment": self.moment}
        return orjson.dumps(data if self.notification_id is None else {**data, "notification": self.notification_id})


@dataclass(slots=True)
class Marks:
    """A user's marks: all notifications up to the moment `read` are read, and all up to `seen` are seen. `alone` has
    the moments of notifications that were marked alone as read, by id.
    """

    read: int = 0
    seen: int = 0
    alone: Mapping[int, int] = field(default_factory=dict)

    def applied(self, row: NotificationRow) -> NotificationRow:
        """Returns a notification with the values that follow from these marks."""
        return row.marked(self.read, self.seen, self.alone.get(row.notification_id, 0))


def pending_marks(fields: Sequence[bytes]) -> Marks:
    """Returns the marks in these fields, which begin as `Mark.pending` says."""
    read, seen, alone = 0, 0, dict[int, int]()
    for one in fields:
        first, second, *more = one.split(b":")
        if len(more) == 2:
            alone[int(second)] = max(alone.get(int(second), 0), int(more[0]))
        elif second.startswith(b"s"):
            seen = max(seen, int(second[1:]))
        else:
            read = max(read, int(first))
    return Marks(read, max(read, seen), alone)
