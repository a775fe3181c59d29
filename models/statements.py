"""Statements of reasons: one row for each person and restriction, and for each reporter and decided report."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger, Text, text

from domain.ids import StatementId
from domain.moderation.appeals import AppealStatus
from domain.moderation.statements import FoundBy, Restriction
from models.base import at, column, key, nullable, table
from models.counters import EntityRef

HAS_DECIDED_TEXT = "appeal_status <> 0 AND appeal_text <> ''"
"""The SQL condition that an appeal against a restriction is not open, and still has its text."""

STATEMENTS_TABLE = table(
    "statements",
    key("user_id", BigInteger),
    # The id of the line of the moderation log about the decision. The log has no line about a hold that lasts.
    key("statement_id", BigInteger),
    # When the restriction began: a moment, which orders the list of a person.
    column("moment", BigInteger),
    # The number of a Restriction.
    column("restriction", SmallInteger),
    # What is restricted or was reported: a post, comment, user or entity.
    column("business_id", SmallInteger),
    column("entity_id", BigInteger),
    # The name of a configured ground.
    column("ground", Text),
    nullable("facts", Text),
    # The number of a FoundBy.
    column("found_by", SmallInteger),
    # Whether no person decided.
    column("automated", Boolean),
    # The moderator or owner who decided, and may not decide an appeal. Null if no user decided.
    nullable("actor_id", BigInteger),
    # The end of a suspension in Unix milliseconds; null for a restriction without an end.
    nullable("until_ms", BigInteger),
    # When the restriction was lifted or replaced, in Unix milliseconds; null if it was not.
    nullable("ended_ms", BigInteger),
    # The appeal: its version, its text, and the number of an AppealStatus. Null without one.
    nullable("appeal_version", BigInteger),
    nullable("appeal_text", Text),
    nullable("appeal_status", SmallInteger),
    Index("statements_newest_idx", "user_id", text("moment DESC"), text("statement_id DESC")),
    Index("statements_standing_idx", "user_id", "business_id", "entity_id", postgresql_where=text("ended_ms IS NULL")),
    Index("statements_appealed_idx", "business_id", "entity_id", postgresql_where=text("appeal_status = 0")),
    Index("statements_decided_idx", "appeal_version", postgresql_where=text(HAS_DECIDED_TEXT)),
    shard="user_id",
)
"""The statements of reasons. A row is added in the transaction that makes the restriction. It changes when the
restriction ends, and with the appeal against it.
"""


class StatementAppeal(NamedTuple):
    """The appeal of a person against a restriction. `version` is its journal id."""

    version: int
    text: str
    status: AppealStatus

    @property
    def created_at(self) -> datetime:
        """Returns the time of the appeal."""
        return at(self.version >> 20)


class StatementRow(NamedTuple):
    """A statement of reasons for the user `user_id`. `ref` is what is restricted or was reported. `actor_id` is the
    user who decided; None if no user did. `ended_ms` is when the restriction was lifted or replaced, in milliseconds
    since the Unix epoch; None if it was not.
    """

    user_id: int
    statement_id: int
    moment: int
    restriction: Restriction
    ref: EntityRef
    ground: str
    facts: str | None
    found_by: FoundBy
    is_automated: bool
    actor_id: int | None
    until_ms: int | None
    ended_ms: int | None = None
    appeal: StatementAppeal | None = None

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return StatementId.text(self.user_id, self.statement_id)

    @property
    def since_ms(self) -> int:
        """Returns the time of the decision, in milliseconds since the Unix epoch."""
        return self.moment >> 10

    @property
    def since(self) -> datetime:
        """Returns the time of the decision."""
        return at(self.since_ms)

    @property
    def until(self) -> datetime | None:
        """Returns the time at which the restriction ends by itself; None if it has no such time."""
        return None if self.until_ms is None else at(self.until_ms)

    def end_ms(self, now_ms: int) -> int | None:
        """Returns when the restriction ended, in milliseconds since the Unix epoch; None if it is in force at the time
        `now_ms`.
        """
        over = self.until_ms is not None and self.until_ms <= now_ms
        ends = [ms for ms in (self.ended_ms, self.until_ms if over else None) if ms is not None]
        return min(ends, default=None)
