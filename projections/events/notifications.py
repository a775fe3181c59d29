"""Events of read notifications."""

from typing import Any, NamedTuple

from models.counters import EntityRef
from projections.events.fields import Parsers
from settings import USERS
from store.notifications.notifications import SEEN, Marked
from store.write_log.journal import Entry


class ReadMarked(NamedTuple):
    """An event: a user marked the notifications up to and including this moment as read."""

    partition: int
    version: int
    actor_id: int
    moment: int

    @property
    def ref(self) -> EntityRef:
        """Returns the user who marked the notifications, as an EntityRef."""
        return EntityRef(USERS, self.actor_id)

    @property
    def settled(self) -> Marked:
        """Returns the user's pending read mark, which may be removed some time after this event was published."""
        return Marked(self.actor_id, self.moment, self.version)


def _parse_read_mark(entry: Entry, data: dict[str, Any]) -> ReadMarked:
    return ReadMarked(entry.partition, entry.version, int(data["actor"]), int(data["moment"]))


PARSERS: Parsers[ReadMarked] = {
    SEEN: _parse_read_mark,
}
"""The parser of each kind of journal entry."""
