"""Notifications: what is told to a user. So far: what moderation has decided about something of theirs."""

from enum import IntEnum

from sqlalchemy import BigInteger, SmallInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class NotificationKind(IntEnum):
    """What happened. Numbers are stored: never reuse one."""

    MODERATION = 6


class NotificationTable(Base):
    """One row per thing that happened: unique by the version of the change that made it."""

    __tablename__ = "notifications"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    kind: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    version: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    message: Mapped[str] = mapped_column(Text)

    __table_args__ = {"info": {"shard": "user_id"}}
