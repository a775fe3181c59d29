"""Recorded actions: views, shares, and actions that businesses (lines of content such as videos) count with own
counters.

Each action has one row, so that it is counted once. The column `bucket` prevents a second row: for an action that
counts once per actor and hour, as views do, it contains the hour; for other actions, the version of the action.
"""

from typing import NamedTuple

from sqlalchemy import BigInteger, Index, SmallInteger

from models.base import column, key, table
from models.counters import CounterKind
from settings import OwnCounter

VIEW, SHARE = "view", "share"
"""The value of `kind` of views and of shares, in pending changes and in journal entries."""


class ActionKind(NamedTuple):
    """A kind of action that is recorded and counted: a view, a share, or one that a business counts itself."""

    name: str
    """The value of `kind` of these actions, in journal entries and in pending changes."""
    counter: int
    """The number of the counter that counts these actions."""
    once_per_hour: bool

    @classmethod
    def of(cls, counter: OwnCounter) -> "ActionKind":
        """Returns the kind of the actions that are counted by `counter`, an own counter of a business."""
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
"""For each object and kind of action: the number of rows that were removed from `records` because they were old.
Counters still include these actions.
"""
