"""Notifications: events that concern a user. Similar events within half a day are grouped in one notification."""

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
"""The current time: the default for workers of an earlier version, which does not write the column."""


class NotificationKind(IntEnum):
    """The kind of event that a notification is about. The numbers are stored: never reuse one."""

    LIKE = 1
    FOLLOW = 2
    COMMENT = 3
    REPLY = 4
    MENTION = 5
    MODERATION = 6


class NotificationTable(Base):
    """One row per user, kind, object of the events, and half day. A row moves up in the list when an event is added."""

    __tablename__ = "notifications"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    notification_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    """The digest of what the row groups (store/notifications/grouping.py). So every event of a group finds the same
    row.
    """
    kind: Mapped[int] = mapped_column(SmallInteger)
    business_id: Mapped[int] = mapped_column(SmallInteger)
    entity_id: Mapped[int] = mapped_column(BigInteger)
    created_ms: Mapped[int] = mapped_column(BigInteger)
    """When the first event happened, in milliseconds since the Unix epoch."""
    updated_ms: Mapped[int] = mapped_column(BigInteger, server_default=_NOW_MS)
    """When the last event happened, in milliseconds since the Unix epoch."""
    moment: Mapped[int] = mapped_column(BigInteger)
    """The position in the order of the user's rows. It follows the order of commits: it is later than the moments of
    all rows delivered to the user before. It is not a time, and may lie ahead of the clock.
    """
    actors: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    """The newest few users who caused an event, newest first."""
    actor_count: Mapped[int] = mapped_column(BigInteger)
    message: Mapped[str | None] = mapped_column(Text)
    """The text of the notification; null if the client can derive it from the other fields."""

    __table_args__ = (
        Index("notifications_recent_idx", "user_id", sql("moment DESC")),
        {"info": {"shard": "user_id"}},
    )


class UntoldTable(Base):
    """The notification outbox: events that batches have committed and that are not delivered as notifications yet. One
    row per batch.
    """

    __tablename__ = "untold"

    p: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    """One of the partitions of the batch. The worker that owns it delivers the row."""
    untold_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    notices: Mapped[bytes] = mapped_column(LargeBinary)
    """The events as JSON (store/notifications/outbox.py)."""

    __table_args__ = {"info": {"shard": "p"}}


class NotificationActorTable(Base):
    """The actors counted in a notification, stored for the kinds in which one actor can cause several events."""

    __tablename__ = "notification_actors"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    notification_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    actor_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)

    __table_args__ = {"info": {"shard": "user_id"}}


class NotificationHeadTable(Base):
    """One row per user: the newest moment that was given to a notification (the head), and the read mark. A transaction
    that delivers to the user locks this row until it commits.
    """

    __tablename__ = "notification_heads"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    moment: Mapped[int] = mapped_column(BigInteger)
    """The newest moment ever given to a notification of this user."""
    prev_moment: Mapped[int] = mapped_column(BigInteger)
    """A lower bound: all moments that the last write gave are later than this."""
    read_moment: Mapped[int] = mapped_column(BigInteger)
    """Notifications up to this moment are read."""

    __table_args__ = {"info": {"shard": "user_id"}}


@dataclass(frozen=True, slots=True)
class NotificationRow:
    """A notification as its user sees it."""

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
        """Returns the id that clients use."""
        return NotificationId.text(self.notification_id)

    @property
    def ref(self) -> EntityRef:
        """Returns the address of the object that the notification is about."""
        return EntityRef(self.business_id, self.entity_id)

    @property
    def created_at(self) -> datetime:
        """Returns when the first event of the notification happened."""
        return at(self.created_ms)

    @property
    def updated_at(self) -> datetime:
        """Returns when the last event of the notification happened."""
        return at(self.updated_ms)


@dataclass(frozen=True, slots=True)
class Newest:
    """A user's newest notifications, newest first, as they were at one moment. `version` grows with every change of the
    user's notifications.
    """

    rows: tuple[NotificationRow, ...]
    whole: bool
    """Whether `rows` contains all notifications of the user."""
    read_moment: int
    unread: int
    """How many notifications are later than `read_moment`, including those older than `rows`."""
    version: int


NOTHING = Newest((), True, 0, 0, 0)
"""The value for a user who has never had a notification."""
