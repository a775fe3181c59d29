"""Follows: one row per pair of users, the lists of followers and followees, and a log of every follow and unfollow."""

from enum import Enum, IntEnum
from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Index, SmallInteger, text

from domain.versions import moment_of
from models.base import client_columns, column, key, nullable, table

FOLLOW = "follow"
"""The value of `kind` of follows: in pending changes, in journal entries, and in the names of own sets
(models/own_sets.py).
"""


class FollowState(IntEnum):
    """Whether a user follows another user, or has asked to. Redis scripts and journals contain the numbers: never reuse
    one.
    """

    NONE = 0
    FOLLOWS = 1
    REQUESTED = 2
    """The user has asked a private user for permission to follow."""

    @classmethod
    def of(cls, follows: bool, requests: bool) -> "FollowState":
        """Returns the state of a user who follows another one (`follows`), or else has asked to (`requests`)."""
        return cls.FOLLOWS if follows else cls.REQUESTED if requests else cls.NONE


class FollowVerb(Enum):
    """A change of a follow that a user requests: the follower asks to follow a private user, follows or unfollows; or
    the private user accepts or rejects the request.
    """

    ASK = "ask"
    FOLLOW = "follow"
    UNFOLLOW = "unfollow"
    ACCEPT = "accept"
    REJECT = "reject"

    def __init__(self, word: str) -> None:
        follows = {"ask": FollowState.REQUESTED, "follow": FollowState.FOLLOWS, "accept": FollowState.FOLLOWS}
        self.to = follows.get(word, FollowState.NONE)
        """The state after the change."""
        only = {"ask": FollowState.NONE, "accept": FollowState.REQUESTED, "reject": FollowState.REQUESTED}
        self.only = only.get(word)
        """The state to which the change applies; other states stay as they are. None if the change applies to every
        state.
        """


class Relation(Enum):
    """The relation of a viewer to another user, as the viewer sees it."""

    NONE = "NONE"
    FOLLOWING = "FOLLOWING"
    FOLLOWED_BY = "FOLLOWED_BY"
    FRIENDS = "FRIENDS"
    REQUESTED = "REQUESTED"
    SELF = "SELF"

    @classmethod
    def of(cls, state: FollowState, followed: bool) -> "Relation":
        """Returns the relation of a viewer to another user. `state` tells whether the viewer follows the user or has
        asked to. `followed` tells whether the user follows the viewer. If the viewer has asked, the relation is
        REQUESTED in both cases.
        """
        return _RELATIONS[state, followed]


_RELATIONS = {
    (FollowState.NONE, False): Relation.NONE,
    (FollowState.FOLLOWS, False): Relation.FOLLOWING,
    (FollowState.NONE, True): Relation.FOLLOWED_BY,
    (FollowState.FOLLOWS, True): Relation.FRIENDS,
    (FollowState.REQUESTED, False): Relation.REQUESTED,
    (FollowState.REQUESTED, True): Relation.REQUESTED,
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
    # Whether the user has asked the other one, who is private, for permission to follow. Never true with a follow.
    column("lo_requests", Boolean, server_default=text("false")),
    column("hi_requests", Boolean, server_default=text("false")),
    # The value that the last write replaced. RETURNING reports it, so a batch learns which transitions really happened.
    column("lo_followed", Boolean, server_default=text("false")),
    column("hi_followed", Boolean, server_default=text("false")),
    column("lo_requested", Boolean, server_default=text("false")),
    column("hi_requested", Boolean, server_default=text("false")),
    # Whether `lo` had followed `hi` at any time before the last write. A repeated follow causes no notification.
    column("lo_had_followed", Boolean, server_default=text("false")),
    column("hi_had_followed", Boolean, server_default=text("false")),
    CheckConstraint("lo < hi", name="follows_ordered"),
    shard="lo",
)
"""One row per pair of users, with both directions. `lo` is the lower user id, `hi` the higher one. Concurrent changes
of a pair wait for the lock of its row.

Each direction has the version of its follower's last change; only a newer version changes it. The row stays after both
users unfollow, so that an older follow that arrives late changes nothing.
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
"""The users that a user follows, with the moment of each follow. If both follow each other, `friends_moment` is the
moment at which they became friends.
"""

FOLLOWERS_TABLE = table(
    "followers",
    key("user_id", BigInteger),
    key("follower_id", BigInteger),
    column("moment", BigInteger),
    Index("followers_recent_idx", "user_id", text("moment DESC"), text("follower_id DESC")),
    shard="user_id",
)
"""The followers of a user, with the moment of each follow."""

REQUESTED_FOLLOWS_TABLE = table(
    "requested_follows",
    key("user_id", BigInteger),
    key("followee_id", BigInteger),
    column("moment", BigInteger),
    shard="user_id",
)
"""The private users that a user has asked for permission to follow, with the moment of each request."""

FOLLOW_REQUESTS_TABLE = table(
    "follow_requests",
    key("user_id", BigInteger),
    key("follower_id", BigInteger),
    column("moment", BigInteger),
    Index("follow_requests_recent_idx", "user_id", text("moment DESC"), text("follower_id DESC")),
    shard="user_id",
)
"""Contains the rows of `requested_follows` once more, with the asked user as `user_id`, so that they are found by this
user.
"""

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
"""One row for each follow and unfollow that a user requested (F5). The version of a change contains its time. A request
to follow a private user has no row before it is accepted; its withdrawal has one, as an unfollow.

This table is private: no field of the API reads it. Each week of versions is one partition, as in `like_log`.
"""


class Pair(NamedTuple):
    """The follows between two users. `lo` is the lower user id, `hi` the higher one. For each direction, the row has
    whether this user follows or has asked to follow the other, and the version of the last change; 0 if it never
    changed.

    While both follow each other, `moment` is the moment at which they became friends.
    """

    lo: int
    hi: int
    lo_follows: bool
    hi_follows: bool
    lo_version: int
    hi_version: int
    moment: int
    lo_requests: bool = False
    hi_requests: bool = False

    @property
    def directions(self) -> tuple[tuple[int, int, bool, int], tuple[int, int, bool, int]]:
        """Returns one tuple for each direction: (follower, followee, whether the follow exists, version of the last
        change).
        """
        return (
            (self.lo, self.hi, self.lo_follows, self.lo_version),
            (self.hi, self.lo, self.hi_follows, self.hi_version),
        )

    @property
    def marks(self) -> list[tuple[int, int, int]]:
        """Returns one tuple for each direction that ever changed: (follower, followee, moment of the last change). The
        moment is negative if there is no follow now.
        """
        return self._marked(self.lo_follows, self.hi_follows)

    @property
    def requests(self) -> list[tuple[int, int, int]]:
        """Returns one tuple for each direction that ever changed: (requester, asked user, moment of the last change).
        The moment is negative if there is no request now.
        """
        return self._marked(self.lo_requests, self.hi_requests)

    def _marked(self, *flags: bool) -> list[tuple[int, int, int]]:
        return [
            (follower, followee, moment_of(version) if flag else -moment_of(version))
            for (follower, followee, _, version), flag in zip(self.directions, flags, strict=True)
            if version
        ]

    @property
    def friends_since(self) -> int | None:
        """Returns the moment at which the two users became friends; None if they are not friends."""
        return self.moment if self.lo_follows and self.hi_follows else None
