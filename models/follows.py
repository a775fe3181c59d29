"""Follows: one row per pair of users, the lists derived from it, and a log of every requested change."""

from enum import Enum

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Index, SmallInteger, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base, ClientColumns


class Relation(Enum):
    """The relation between a viewer and a user, seen from the viewer."""

    NONE = "NONE"
    FOLLOWING = "FOLLOWING"
    FOLLOWED_BY = "FOLLOWED_BY"
    FRIENDS = "FRIENDS"
    SELF = "SELF"

    @classmethod
    def of(cls, follows: bool, followed: bool) -> "Relation":
        """Returns the relation of a viewer to another user. `follows` tells whether the viewer follows the user,
        `followed` whether the user follows the viewer.
        """
        return _RELATIONS[follows, followed]


_RELATIONS = {
    (False, False): Relation.NONE,
    (True, False): Relation.FOLLOWING,
    (False, True): Relation.FOLLOWED_BY,
    (True, True): Relation.FRIENDS,
}


class FollowTable(Base):
    """One row per pair of users, with both directions. `lo` is the lower user id, `hi` the higher one. Concurrent
    changes of a pair wait for the lock of its row.

    Each direction has the version of its follower's last change; the newer version wins. The row stays after both users
    unfollow, because an older follow that arrives late must lose against it.
    """

    __tablename__ = "follows"

    lo: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    hi: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    lo_follows: Mapped[bool] = mapped_column(Boolean)
    hi_follows: Mapped[bool] = mapped_column(Boolean)
    lo_version: Mapped[int] = mapped_column(BigInteger)
    hi_version: Mapped[int] = mapped_column(BigInteger)
    moment: Mapped[int] = mapped_column(BigInteger)
    """Grows with every change of the pair. While the two users are friends, it is the moment at which they became
    friends.
    """
    lo_followed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    """The value that the last write replaced. RETURNING reports it, so a batch learns which transitions really
    happened.
    """
    hi_followed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    lo_had_followed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    """Whether `lo` had followed `hi` at any time before the last write. A repeated follow causes no notification."""
    hi_had_followed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))

    __table_args__ = (CheckConstraint("lo < hi", name="follows_ordered"), {"info": {"shard": "lo"}})


class FollowingTable(Base):
    """The followees of a user, with the moment of the follow. If the two users are friends: also the moment of the
    friendship.
    """

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
    """The followers of a user, with the moment of the follow."""

    __tablename__ = "followers"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    follower_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    moment: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (
        Index("followers_recent_idx", "user_id", text("moment DESC"), text("follower_id DESC")),
        {"info": {"shard": "user_id"}},
    )


class FollowLogTable(ClientColumns, Base):
    """One row for each change that a user requested (F5). The version of a change contains its time. This table is
    private: no field of the API reads it.
    """

    __tablename__ = "follow_log"

    user_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    version: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger)
    """The business of users, the only thing that can be followed so far."""
    followee_id: Mapped[int] = mapped_column(BigInteger)
    follows: Mapped[bool] = mapped_column(Boolean)

    __table_args__ = (Index("follow_log_version_idx", "version"), {"info": {"shard": "user_id"}})
