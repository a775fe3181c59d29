"""Boundaries: the users that a user blocks or mutes, and the threads (a post, entity or root comment, with the comments
below it) that a user mutes. A process reads them together with the topics and entities that the user follows, and
the user's preferences, hidden posts and muted words.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger

from models.base import column, key, table
from models.content_follows import ContentFollow
from models.counters import EntityRef
from models.hidden_posts import HiddenPost

BLOCK, MUTE, THREAD = "block", "mute", "thread"
"""The value of `kind` of blocks, of mutes of users, and of mutes of threads: in pending changes, in journal entries,
and in the names of own sets (models/own_sets.py).
"""

BLOCKS_TABLE = table(
    "blocks",
    key("user_id", BigInteger),
    key("blocked_id", BigInteger),
    column("stands", Boolean),
    column("version", BigInteger),
    shard="user_id",
)
"""One row for each user that a user has ever blocked. `stands` is false after an unblock. The row then stays, so that
an older block that arrives late changes nothing.
"""

BLOCKED_BY_TABLE = table(
    "blocked_by",
    key("user_id", BigInteger),
    key("blocker_id", BigInteger),
    column("stands", Boolean),
    column("version", BigInteger),
    shard="user_id",
)
"""Contains the rows of `blocks` once more, with the blocked user as `user_id`, so that they are found by this user.
`version` is that of the blocker's last change, as in `blocks`.
"""

MUTES_TABLE = table(
    "mutes",
    key("user_id", BigInteger),
    key("muted_id", BigInteger),
    # Milliseconds since the Unix epoch: the time when the mute ends. 0 after an unmute.
    column("until_ms", BigInteger),
    column("version", BigInteger),
    shard="user_id",
)
"""One row for each user that a user has ever muted. The row stays after an unmute."""

THREAD_MUTES_TABLE = table(
    "thread_mutes",
    key("user_id", BigInteger),
    # The post, entity or root comment of the thread, or the user whose reposts are muted or who must not be suggested.
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    column("stands", Boolean),
    column("version", BigInteger),
    Index("thread_mutes_thread_idx", "business_id", "entity_id"),
    shard="user_id",
)
"""One row for each thread that a user has ever muted, and for each user whose reposts a user has muted or whom a user
has dismissed from the suggestions. `stands` is false after an unmute, as in `blocks`. The rows about users are no
threads: no event belongs to them, no list shows them, and exports have separate kinds of records for them.
"""


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The blocks and mutes of one user, the topics and entities that the user follows, the user's preferences, hidden
    posts and muted words, and the users who block this user.
    """

    blocks: Mapping[int, int] = field(default_factory=dict)
    """The ids of the users that the user blocks, with the moment of each block."""
    mutes: Mapping[int, int] = field(default_factory=dict)
    """The ids of the users that the user mutes, with the end of each mute in milliseconds since the Unix epoch. Mutes
    that have ended may be among them.
    """
    threads: Mapping[EntityRef, int] = field(default_factory=dict)
    """The threads that the user mutes, with the moment of each mute. The reference of a thread is that of its post,
    entity or root comment. Also has the users whose reposts the user mutes, and those who must not be suggested.
    """
    content_follows: Mapping[EntityRef, ContentFollow] = field(default_factory=dict)
    """The topics and entities that the user follows."""
    preferences: frozenset[int] = frozenset()
    """The numbers of the preferences that the user has switched on (`models.preferences.Preference`)."""
    hidden_posts: Mapping[int, HiddenPost] = field(default_factory=dict)
    """The posts that the user has hidden from the user's lists, by id."""
    words: str = ""
    """The words that the user mutes, as one text (domain/muted_words.py). Words that have expired may be among them."""
    blockers: frozenset[int] | None = frozenset()
    """The ids of the users who block the user; None if they are too many to be cached together."""
    stamp: bytes = b""
    """A value that changes whenever the user's boundaries change."""
    looked_up: dict[int, bool] = field(default_factory=dict, compare=False)
    """Used while `blockers` is None: whether another user blocks the user, by the id of the other user, for those who
    were looked up. The answers are valid as long as `stamp` is unchanged.
    """

    def is_muted(self, user_id: int, now_ms: int) -> bool:
        """Returns whether the user mutes the user `user_id` at the time `now_ms`, in milliseconds since
        the Unix epoch.
        """
        return self.mutes.get(user_id, 0) > now_ms
