"""Posts that users have pinned to their profiles."""

from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean

from models.base import column, key, table

MOST_PINNED = 3
"""The most posts that a user can pin."""

PINNED_POSTS_TABLE = table(
    "pinned_posts",
    key("user_id", BigInteger),
    key("post_id", BigInteger),
    # False after the post was unpinned.
    column("pinned", Boolean),
    # The version of the change that pinned or unpinned the post.
    column("version", BigInteger),
    shard="user_id",
)
"""The posts that users have pinned or have unpinned again."""


class PinnedPosts(NamedTuple):
    """The posts that one user has pinned, newest pin first. Deleted and hidden posts may be among them. `version` is
    that of the last change by which the user pinned or unpinned a post; 0 if there is none.
    """

    post_ids: tuple[int, ...] = ()
    version: int = 0


class Pin(NamedTuple):
    """The stored state of one pin: whether the post is pinned, and the version of the change that pinned or unpinned
    it.
    """

    version: int
    pinned: bool
