"""Follows: one row per pair of users, the lists derived from it, and a log of every requested change."""

from enum import Enum

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Index, SmallInteger, text

from models.base import client_columns, column, key, nullable, table


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


FOLLOWS_TABLE = table(
    "follows",
    key("lo", BigInteger),
    key("hi", BigInteger),
    column("lo_follows", Boolean),
    column("hi_follows", Boolean),
    column("lo_version", BigInteger),
    column("hi_version", BigInteger),
    # Grows with every change of the pair. While the two users are friends, it is the moment at which they became
    # friends.
    column("moment", BigInteger),
    # The value that the last write replaced. RETURNING reports it, so a batch learns which transitions really happened.
    column("lo_followed", Boolean, server_default=text("false")),
    column("hi_followed", Boolean, server_default=text("false")),
    # Whether `lo` had followed `hi` at any time before the last write. A repeated follow causes no notification.
    column("lo_had_followed", Boolean, server_default=text("false")),
    column("hi_had_followed", Boolean, server_default=text("false")),
    CheckConstraint("lo < hi", name="follows_ordered"),
    shard="lo",
)
"""One row per pair of users, with both directions. `lo` is the lower user id, `hi` the higher one. Concurrent
changes of a pair wait for the lock of its row.

Each direction has the version of its follower's last change; the newer version wins. The row stays after both users
unfollow, because an older follow that arrives late must lose against it.
"""

FOLLOWING_TABLE = table(
    "following",
    key("user_id", BigInteger),
    key("followee_id", BigInteger),
    column("moment", BigInteger),
    nullable("friends_moment", BigInteger),
    Index("following_recent_idx", "user_id", text("moment DESC"), text("followee_id DESC")),
    Index(
        "following_friends_idx",
        "user_id",
        text("friends_moment DESC"),
        text("followee_id DESC"),
        postgresql_where=text("friends_moment IS NOT NULL"),
    ),
    shard="user_id",
)
"""The followees of a user, with the moment of the follow. If the two users are friends: also the moment of the
friendship.
"""

FOLLOWERS_TABLE = table(
    "followers",
    key("user_id", BigInteger),
    key("follower_id", BigInteger),
    column("moment", BigInteger),
    Index("followers_recent_idx", "user_id", text("moment DESC"), text("follower_id DESC")),
    shard="user_id",
)
"""The followers of a user, with the moment of the follow."""

FOLLOW_LOG_TABLE = table(
    "follow_log",
    key("user_id", BigInteger),
    key("version", BigInteger),
    # The business of users, the only thing that can be followed so far.
    column("business_id", SmallInteger),
    column("followee_id", BigInteger),
    column("follows", Boolean),
    *client_columns(),
    Index("follow_log_version_idx", "version"),
    shard="user_id",
)
"""One row for each change that a user requested (F5). The version of a change contains its time. This table is
private: no field of the API reads it.
"""
