"""Blocks and mutes: the users that a user blocks or mutes, and the threads that a user mutes."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import BigInteger, Boolean, SmallInteger

from models.base import column, key, table
from models.counters import EntityRef

BLOCK, MUTE, THREAD = "block", "mute", "thread"
"""The kinds of the changes, journal entries and own sets of boundaries: blocks and mutes of users, mutes of threads."""

BLOCKS_TABLE = table(
    "blocks",
    key("user_id", BigInteger),
    key("blocked_id", BigInteger),
    column("stands", Boolean),
    column("version", BigInteger),
    shard="user_id",
)
"""One row for each user that a user has ever blocked. `stands` is false after an unblock: the row stays, because an
older block that arrives late must lose against it.
"""

BLOCKED_BY_TABLE = table(
    "blocked_by",
    key("user_id", BigInteger),
    key("blocker_id", BigInteger),
    column("stands", Boolean),
    column("version", BigInteger),
    shard="user_id",
)
"""The rows of `blocks` by the blocked user. `version` is that of the blocker's last change, as in `blocks`."""

MUTES_TABLE = table(
    "mutes",
    key("user_id", BigInteger),
    key("muted_id", BigInteger),
    # Milliseconds since the Unix epoch: the time when the mute ends. 0 after an unmute.
    column("until_ms", BigInteger),
    column("version", BigInteger),
    shard="user_id",
)
"""One row for each user that a user has ever muted."""

THREAD_MUTES_TABLE = table(
    "thread_mutes",
    key("user_id", BigInteger),
    # The post, entity or root comment of the thread.
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    column("stands", Boolean),
    column("version", BigInteger),
    shard="user_id",
)
"""One row for each thread that a user has ever muted. `stands` is false after an unmute, as in `blocks`."""


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The boundaries of one user, from caches or from rows."""

    blocks: Mapping[int, int] = field(default_factory=dict)
    """The users that the user blocks, with the moments of the blocks."""
    mutes: Mapping[int, int] = field(default_factory=dict)
    """The users that the user mutes, with the ends of the mutes in milliseconds since the Unix epoch. Mutes that have
    ended may be among them.
    """
    threads: Mapping[EntityRef, int] = field(default_factory=dict)
    """The threads that the user mutes, with the moments of the mutes. A thread is named by its post, entity or root
    comment.
    """
    blockers: frozenset[int] | None = frozenset()
    """The users who block the user; None if they are too many to be cached together."""
    stamp: bytes = b""
    """A value that changes whenever the boundaries change."""
    looked_up: dict[int, bool] = field(default_factory=dict, compare=False)
    """Whether another user blocks the user, by the other user's id, for those who were looked up because `blockers` is
    None. The answers hold as long as the stamp.
    """

    def is_muted(self, user_id: int, now_ms: int) -> bool:
        """Returns whether the user mutes another user now."""
        return self.mutes.get(user_id, 0) > now_ms
