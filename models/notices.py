"""Notices: what people, also without an account, tell the moderators about content that they think is illegal."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger, Text, text

from domain.moderation.reports import ReportStatus
from domain.notice_numbers import NoticePlace, number_of
from models.base import at, column, key, nullable, table
from models.counters import EntityRef

NOTICE = "notice"
"""The kind of the journal entries of notices."""

NOTICES_TABLE = table(
    "notices",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # A number that nobody can guess. With the target, it is the number of the receipt.
    key("notice_id", BigInteger),
    column("version", BigInteger),
    # The law that the content breaks, as the person names it.
    column("law", Text),
    # Empty once the retention has removed it, as name and email are null then.
    column("explanation", Text),
    # Null for a notice without a name.
    nullable("name", Text),
    nullable("email", Text),
    # Whether a trusted flagger sent it.
    column("trusted", Boolean),
    # The number of a ReportStatus.
    column("status", SmallInteger),
    # The moment at which it was decided, or its target was deleted, and the reason of the moderator.
    nullable("decided", BigInteger),
    nullable("decision", Text),
    Index("notices_open_idx", "business_id", "entity_id", text("version DESC"), postgresql_where=text("status = 0")),
    Index("notices_received_idx", "version"),
    Index(
        "notices_texts_idx",
        "decided",
        postgresql_where=text("explanation <> '' OR name IS NOT NULL OR email IS NOT NULL"),
    ),
    shard="entity_id",
)
"""All notices. A target is a post, comment, user or entity."""

HAS_TEXTS = "(explanation <> '' OR name IS NOT NULL OR email IS NOT NULL)"
"""The SQL condition that the retention has not removed the explanation, the name and the e-mail address of a notice."""


class NoticeRow(NamedTuple):
    """A notice about the target `ref`. `version` is its journal id, which contains its
    time. `decided` is the moment at which it was closed; None while it is open.
    """

    ref: EntityRef
    notice_id: int
    version: int
    law: str
    explanation: str
    name: str | None
    email: str | None
    is_trusted: bool
    status: ReportStatus
    decided: int | None = None
    decision: str | None = None

    @property
    def number(self) -> str:
        """Returns the number of the receipt."""
        return number_of(NoticePlace(*self.ref, self.notice_id))

    @property
    def received_at(self) -> datetime:
        """Returns when the notice was received."""
        return at(self.version >> 20)

    @property
    def decided_at(self) -> datetime | None:
        """Returns when a moderator decided or the target was deleted; None while the notice is open."""
        return None if self.decided is None else at(self.decided >> 10)

    @property
    def is_open(self) -> bool:
        """Returns whether no decision and no deletion has closed the notice."""
        return self.status is ReportStatus.OPEN
