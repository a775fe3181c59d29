"""Recorded actions (views, shares, and those of businesses' own counters): one row each, so that each is counted once.
The column `bucket` contains the hour of an action that counts once per actor and hour, as views do; otherwise the
version of the action.
"""

from typing import NamedTuple

from sqlalchemy import BigInteger, Index, SmallInteger

from models.base import column, key, table
from models.counters import CounterKind
from settings import OwnCounter

VIEW, SHARE = "view", "share"
"""The kinds of the changes and journal entries of recorded actions."""


class ActionKind(NamedTuple):
    """A kind of action that is recorded and counted: a view, a share, or one that a business counts itself."""

    name: str
    """The kind of the journal entries, and of the fields of pending changes."""
    counter: int
    """The counter that counts the actions."""
    once_per_hour: bool

    @classmethod
    def of(cls, counter: OwnCounter) -> "ActionKind":
        """Returns the kind of the actions that a business's own counter counts."""
        return cls(str(counter.id), counter.id, counter.once_per_hour)


VIEWED = ActionKind(VIEW, CounterKind.VIEWS, once_per_hour=True)
SHARED = ActionKind(SHARE, CounterKind.SHARES, once_per_hour=False)

RECORDS_TABLE = table(
    "records",
    key("actor_id", BigInteger),
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    key("kind", SmallInteger),
    key("bucket", BigInteger),
    column("version", BigInteger),
    Index("records_counted_idx", "business_id", "kind", "entity_id"),
    Index("records_version_idx", "version"),
    shard="actor_id",
)
"""One row per counted action. `actor_id` is a user's id, or the negative number of an anonymous device."""

SWEPT_RECORDS_TABLE = table(
    "swept_records",
    key("business_id", SmallInteger),
    key("kind", SmallInteger),
    key("entity_id", BigInteger),
    column("value", BigInteger),
    shard="entity_id",
)
"""The number of rows of `records` that were removed because they were old, by object and kind. Counters still
include them.
"""
