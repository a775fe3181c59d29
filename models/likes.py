"""Reactions: one row per user and entity, which stays as a tombstone when the reaction is removed, and a log of the
requests.
"""

from enum import IntEnum

from sqlalchemy import BigInteger, Boolean, Computed, Index, SmallInteger, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, ClientColumns


class Reaction(IntEnum):
    """A user's reaction to an entity. The numbers are stored. NONE is stored too, so that an older like that arrives
    late changes nothing.
    """

    NONE = 0
    LIKE = 1
    DISLIKE = 2


class ReactionTable(Base):
    """The reactions of all users. A newer version replaces the row; an older one changes nothing."""

    __tablename__ = "reactions"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    owner_id: Mapped[int | None] = mapped_column(BigInteger)
    """The owner of the entity when the like was given. The like counts in this user's received likes."""
    state: Mapped[int] = mapped_column(SmallInteger)
    version: Mapped[int] = mapped_column(BigInteger)
    prev_state: Mapped[int] = mapped_column(SmallInteger, server_default=text("0"))
    """The state that the last write replaced. RETURNING reports it, so a batch learns which transitions really
    happened.
    """
    prev_owner_id: Mapped[int | None] = mapped_column(BigInteger)
    had_liked: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    """Whether the reaction was a like at any time before the last write. A repeated like causes no notification."""
    moment: Mapped[int] = mapped_column(
        BigInteger, Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True)
    )
    """The version shortened to 53 bits, which the score of a sorted set stores exactly. Lists are ordered by it in
    Postgres and in Redis.
    """

    __table_args__ = (
        Index("reactions_recent_idx", "user_id", "business_id", text("moment DESC"), text("entity_id DESC"),
              postgresql_where=text("state <> 0")),
        Index("reactions_likers_idx", "business_id", "entity_id", text("moment DESC"), text("user_id DESC"),
              postgresql_where=text("state = 1")),
        Index("reactions_dislikers_idx", "business_id", "entity_id", postgresql_where=text("state = 2")),
        Index("reactions_received_idx", "owner_id", postgresql_where=text("state = 1")),
        {"info": {"shard": "user_id"}},
    )  # fmt: skip


class LikeLogTable(ClientColumns, Base):
    """One row for each change that a user requested, with its verb (L13). This table is private: no field of the API
    reads it.
    """

    __tablename__ = "like_log"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    version: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger)
    entity_id: Mapped[int] = mapped_column(BigInteger)
    owner_id: Mapped[int | None] = mapped_column(BigInteger)
    verb: Mapped[str | None] = mapped_column(Text)
    """`like`, `unlike`, `dislike` or `undislike`; null in lines written by a version without this column."""
    was: Mapped[int | None] = mapped_column(SmallInteger)
    state: Mapped[int | None] = mapped_column(SmallInteger)
    """The state after the change; `was` is the state before it. Only the previous version writes these two columns."""
    source: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (Index("like_log_version_idx", "version"), {"info": {"shard": "user_id"}})
