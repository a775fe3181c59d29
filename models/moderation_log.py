"""The moderation log: one row for each decision of moderation about a post, comment, user, entity or collection."""

from datetime import datetime
from enum import IntEnum
from typing import NamedTuple

from sqlalchemy import BigInteger, Index, SmallInteger, Text, text

from models.base import at, column, key, nullable, table
from models.counters import EntityRef


class ModerationAction(IntEnum):
    """The action that a row of the moderation log records. The numbers are stored: never reuse one."""

    HELD = 1
    APPROVED = 2
    REJECTED = 3
    DELETED = 4
    REPORTS_ACCEPTED = 5
    REPORTS_DISMISSED = 6
    SUSPENDED = 7
    REINSTATED = 8
    WARNED = 9
    APPEAL_GRANTED = 10
    APPEAL_DENIED = 11
    SUSPENSION_ENDED = 12
    TOPIC_HELD = 13
    TOPIC_OPENED = 14
    LABELED = 17


class ModerationRole(IntEnum):
    """The role of the person or program that acted. The numbers are stored: never reuse one."""

    MODERATOR = 1
    OWNER = 2
    RULES = 3
    REVIEWER = 4
    SYSTEM = 5


MODERATION_LOG_TABLE = table(
    "moderation_log",
    key("log_id", BigInteger),
    # The moment of the decision, which orders the log.
    column("moment", BigInteger),
    column("action", SmallInteger),
    column("role", SmallInteger),
    # The user who decided; null for the rules, the external reviewer and Plaudit itself.
    nullable("actor_id", BigInteger),
    column("business_id", SmallInteger),
    column("entity_id", BigInteger),
    # The author or owner of the target, or the user who is the target; null for an entity without owner.
    nullable("user_id", BigInteger),
    # The state of the target before and after the decision, as JSON. `after` is null if the decision had no effect.
    nullable("before", Text),
    nullable("after", Text),
    nullable("reason", Text),
    # The name of the configured ground that the decision names; null if it names none.
    nullable("ground", Text),
    Index("moderation_log_newest_idx", text("moment DESC"), text("log_id DESC")),
    Index("moderation_log_target_idx", "business_id", "entity_id", text("moment DESC"), text("log_id DESC")),
    Index("moderation_log_user_idx", "user_id", text("moment DESC"), text("log_id DESC")),
    Index("moderation_log_actor_idx", "actor_id", text("moment DESC"), text("log_id DESC")),
    shard="log_id",
)
"""The moderation log. Rows are only added, each in the transaction that makes the recorded change."""


class LogRow(NamedTuple):
    """A row of the moderation log. `actor_id` is the user who decided; None if a program did. `ref` is the target, and
    `user_id` its author or owner. `before` and `after` are the states of the target, as JSON. `ground` is the name
    of the ground that the decision names; None if it names none.
    """

    log_id: int
    moment: int
    action: ModerationAction
    role: ModerationRole
    actor_id: int | None
    ref: EntityRef
    user_id: int | None
    before: str | None
    after: str | None
    reason: str | None
    ground: str | None = None

    @property
    def created_at(self) -> datetime:
        """Returns the time of the decision."""
        return at(self.moment >> 10)
