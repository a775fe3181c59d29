"""Follows: one row per pair of users where crossing follows meet, the lists made from it, and a log of every change."""

from enum import Enum

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Index, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import INET
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class Relation(Enum):
    """What a viewer and a user are to each other, from the viewer's side."""

    NONE = "NONE"
    FOLLOWING = "FOLLOWING"
    FOLLOWED_BY = "FOLLOWED_BY"
    FRIENDS = "FRIENDS"
    SELF = "SELF"

    @classmethod
    def of(cls, follows: bool, followed: bool) -> "Relation":
        """Of two different people."""
        return _RELATIONS[follows, followed]


_RELATIONS = {
    (False, False): Relation.NONE,
    (True, False): Relation.FOLLOWING,
    (False, True): Relation.FOLLOWED_BY,
    (True, True): Relation.FRIENDS,
}


class FollowTable(Base):
    """The truth about two users, `lo` < `hi`, both directions in one row: its lock is where their changes meet.

    Each direction has the version of its own follower's last change; newer wins. The row stays when nobody follows
    anybody any more: a late, older follow must lose against it.
    """

    __tablename__ = "follows"

    lo: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    hi: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    lo_follows: Mapped[bool] = mapped_column(Boolean)
    hi_follows: Mapped[bool] = mapped_column(Boolean)
    lo_version: Mapped[int] = mapped_column(BigInteger)
    hi_version: Mapped[int] = mapped_column(BigInteger)
    moment: Mapped[int] = mapped_column(BigInteger)
    """Grows with every change of the pair; while they are friends it tells since when."""
    lo_followed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    """What the last write replaced: RETURNING it is how a batch learns which transitions really happened."""
    hi_followed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    lo_had_followed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    """Whether they had followed at any time before the last write: whoever follows again is no news."""
    hi_had_followed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))

    __table_args__ = (CheckConstraint("lo < hi", name="follows_ordered"), {"info": {"shard": "lo"}})


class FollowingTable(Base):
    """Whom a user follows, and since when; and who of them are friends, and since when."""

    __tablename__ = "following"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    followee_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    moment: Mapped[int] = mapped_column(BigInteger)
    friends_moment: Mapped[int | None] = mapped_column(BigInteger)

    __table_args__ = (
        Index("following_recent_idx", "user_id", text("moment DESC"), text("followee_id DESC")),
        Index("following_friends_idx", "user_id", text("friends_moment DESC"), text("followee_id DESC"),
              postgresql_where=text("friends_moment IS NOT NULL")),
        {"info": {"shard": "user_id"}},
    )  # fmt: skip


class FollowersTable(Base):
    """Who follows a user, and since when."""

    __tablename__ = "followers"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    follower_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    moment: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (
        Index("followers_recent_idx", "user_id", text("moment DESC"), text("follower_id DESC")),
        {"info": {"shard": "user_id"}},
    )


class FollowLogTable(Base):
    """Every change as it was asked for (F5); its time is in its version. Private: no field of the API reads it."""

    __tablename__ = "follow_log"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    version: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger)
    """That of users: the only thing one can follow so far."""
    followee_id: Mapped[int] = mapped_column(BigInteger)
    follows: Mapped[bool] = mapped_column(Boolean)
    ip: Mapped[str | None] = mapped_column(INET)
    device: Mapped[str | None] = mapped_column(Text)
    client: Mapped[str | None] = mapped_column(Text)

    __table_args__ = (Index("follow_log_version_idx", "version"), {"info": {"shard": "user_id"}})
