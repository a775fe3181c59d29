"""Notifications: what happened to something of a user's, told to that user; what is alike within half a day is one."""

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from sqlalchemy import BigInteger, Index, LargeBinary, SmallInteger, Text
from sqlalchemy import text as sql
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from domain.ids import NotificationId
from models.base import Base, at
from models.counters import EntityRef

_NOW_MS = sql("(extract(epoch FROM now()) * 1000)::bigint")
"""For workers of a version that does not know the column."""


class NotificationKind(IntEnum):
    """What happened. Numbers are stored: never reuse one."""

    LIKE = 1
    FOLLOW = 2
    COMMENT = 3
    REPLY = 4
    MENTION = 5
    MODERATION = 6


class NotificationTable(Base):
    """One row per user, kind, thing it is about, and half a day. A row moves up when it has more to tell."""

    __tablename__ = "notifications"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    notification_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    """The digest of what it groups (store/notifications/delivery.py), so that everybody who adds to it finds it."""
    kind: Mapped[int] = mapped_column(SmallInteger)
    business_id: Mapped[int] = mapped_column(SmallInteger)
    entity_id: Mapped[int] = mapped_column(BigInteger)
    created_ms: Mapped[int] = mapped_column(BigInteger)
    """When the first of it happened."""
    updated_ms: Mapped[int] = mapped_column(BigInteger, server_default=_NOW_MS)
    """When the last of it happened."""
    moment: Mapped[int] = mapped_column(BigInteger)
    """The order of the user's rows, which is that of commits: later than the moments of all that they were told
    before. It is not a time, and may lie ahead of the clock."""
    actors: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    """The newest few who did it, newest first."""
    actor_count: Mapped[int] = mapped_column(BigInteger)
    message: Mapped[str | None] = mapped_column(Text)
    """What it says, where that does not follow from the rest."""

    __table_args__ = (
        Index("notifications_recent_idx", "user_id", sql("moment DESC")),
        {"info": {"shard": "user_id"}},
    )


class UntoldTable(Base):
    """What batches have committed that users are still to be told: a row per batch, until it is told."""

    __tablename__ = "untold"

    p: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    """A partition of the batch's: whoever owns it tells."""
    untold_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    notices: Mapped[bytes] = mapped_column(LargeBinary)
    """JSON (store/notifications/outbox.py)."""

    __table_args__ = {"info": {"shard": "p"}}


class NotificationActorTable(Base):
    """Who has been counted in a notification of a kind that somebody may be told of twice because of one person."""

    __tablename__ = "notification_actors"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    notification_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    actor_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)

    __table_args__ = {"info": {"shard": "user_id"}}


class NotificationHeadTable(Base):
    """How far a user has been told, and has read. Whoever tells them something holds this row until it commits."""

    __tablename__ = "notification_heads"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    moment: Mapped[int] = mapped_column(BigInteger)
    """The newest that was ever given to a notification of theirs."""
    prev_moment: Mapped[int] = mapped_column(BigInteger)
    """All moments that the last write gave are later than this."""
    read_moment: Mapped[int] = mapped_column(BigInteger)
    """What is no later has been read."""

    __table_args__ = {"info": {"shard": "user_id"}}


@dataclass(frozen=True, slots=True)
class NotificationRow:
    """A notification, as its user is told it."""

    notification_id: int
    kind: NotificationKind
    business_id: int
    entity_id: int
    created_ms: int
    updated_ms: int
    moment: int
    actors: tuple[int, ...]
    actor_count: int
    message: str | None
    read: bool = False

    @property
    def global_id(self) -> str:
        """As clients write it."""
        return NotificationId.text(self.notification_id)

    @property
    def ref(self) -> EntityRef:
        """What it is about."""
        return EntityRef(self.business_id, self.entity_id)

    @property
    def created_at(self) -> datetime:
        """When the first of it happened."""
        return at(self.created_ms)

    @property
    def updated_at(self) -> datetime:
        """When the last of it happened."""
        return at(self.updated_ms)


@dataclass(frozen=True, slots=True)
class Newest:
    """A user's newest notifications, newest first, as they were at one moment. `version` grows with every change."""

    rows: tuple[NotificationRow, ...]
    whole: bool
    """Whether there are no older ones."""
    read_moment: int
    unread: int
    """How many there are, older ones too, that are later than that."""
    version: int


NOTHING = Newest((), True, 0, 0, 0)
"""What somebody has been told whom nobody has told anything."""
