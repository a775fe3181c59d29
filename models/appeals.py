"""Appeals: authors ask moderators to decide again about a rejected post or comment."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BigInteger, Index, SmallInteger, Text, text

from domain.moderation.appeals import AppealStatus
from models.base import at, column, key, nullable, table
from models.counters import EntityRef

HAS_DECIDED_TEXT = "status <> 0 AND text <> ''"
"""The SQL condition that an appeal is not open, and still has its text."""

APPEALS_TABLE = table(
    "appeals",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    column("author_id", BigInteger),
    column("version", BigInteger),
    # The version of the content that was rejected. Each is appealed against once.
    column("content_version", BigInteger),
    column("text", Text),
    # The moderator who rejected the content, and may not decide the appeal. Null if no moderator did.
    nullable("moderator_id", BigInteger),
    # The number of an AppealStatus.
    column("status", SmallInteger),
    Index("appeals_open_idx", "business_id", "entity_id", postgresql_where=text("status = 0")),
    Index("appeals_author_idx", "author_id"),
    Index("appeals_decided_idx", "version", postgresql_where=text(HAS_DECIDED_TEXT)),
    shard="entity_id",
)
"""The last appeal about each post and comment, if there was one."""


class AppealRow(NamedTuple):
    """An appeal about the post or comment `ref`. `version` is the journal id of the appeal, and `content_version` the
    version of the rejected content. `moderator_id` is the moderator who rejected the content; None if no moderator did.
    """

    ref: EntityRef
    author_id: int
    version: int
    content_version: int
    text: str
    moderator_id: int | None
    status: AppealStatus

    @property
    def created_at(self) -> datetime:
        """Returns the time of the appeal."""
        return at(self.version >> 20)
