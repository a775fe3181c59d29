"""Reactions: one row per (user, entity), kept as a tombstone when taken back, and a log of what was asked for."""

from enum import IntEnum

from sqlalchemy import BigInteger, Boolean, Computed, Index, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import INET
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class Reaction(IntEnum):
    """What a user feels about an entity, as stored. NONE is a row too: a late, older like must lose against it."""

    NONE = 0
    LIKE = 1
    DISLIKE = 2


class ReactionTable(Base):
    """The truth about who reacted to what; newer versions win, older ones change nothing."""

    __tablename__ = "reactions"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    owner_id: Mapped[int | None] = mapped_column(BigInteger)
    """Whose received total this like is part of: the entity's owner when it was given."""
    state: Mapped[int] = mapped_column(SmallInteger)
    version: Mapped[int] = mapped_column(BigInteger)
    prev_state: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    """What the last write replaced: RETURNING it is how a batch learns which transitions really happened."""
    prev_owner_id: Mapped[int | None] = mapped_column(BigInteger)
    had_liked: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    """Whether it had been a like at any time before the last write: whoever likes again is no news."""
    moment: Mapped[int] = mapped_column(
        BigInteger, Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True)
    )
    """The version in the 53 bits a sorted set's score holds exactly: what lists are ordered by, here and there."""

    __table_args__ = (
        Index("reactions_recent_idx", "user_id", "business_id", text("moment DESC"), text("entity_id DESC"),
              postgresql_where=text("state <> 0")),
        Index("reactions_likers_idx", "business_id", "entity_id", text("moment DESC"), text("user_id DESC"),
              postgresql_where=text("state = 1")),
        Index("reactions_dislikers_idx", "business_id", "entity_id", postgresql_where=text("state = 2")),
        Index("reactions_received_idx", "owner_id", postgresql_where=text("state = 1")),
        {"info": {"shard": "user_id"}},
    )  # fmt: skip


class LikeLogTable(Base):
    """One line for each change that a user asked for, with its verb (L13). Private: no field of the API reads it."""

    __tablename__ = "like_log"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    version: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger)
    entity_id: Mapped[int] = mapped_column(BigInteger)
    owner_id: Mapped[int | None] = mapped_column(BigInteger)
    verb: Mapped[str | None] = mapped_column(Text)
    """like, unlike, dislike or undislike; null in lines that a version without it has written."""
    was: Mapped[int | None] = mapped_column(SmallInteger)
    state: Mapped[int | None] = mapped_column(SmallInteger)
    """Written by the version before, together with `was`, which is the state before the change."""
    source: Mapped[str | None] = mapped_column(Text)
    ip: Mapped[str | None] = mapped_column(INET)
    device: Mapped[str | None] = mapped_column(Text)
    client: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (Index("like_log_version_idx", "version"), {"info": {"shard": "user_id"}})
