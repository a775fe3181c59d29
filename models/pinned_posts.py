"""Posts that users have pinned to their profiles."""

from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean

from models.base import column, key, table

MOST_PINNED = 3
"""How many posts a user can pin."""

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
"""The posts that users have pinned, also those that they have unpinned since."""


class PinnedPosts(NamedTuple):
    """The posts that one user has pinned, newest pin first. They may be deleted or hidden. `version` is that of the
    user's last change of a pin; 0 if there is none.
    """

    post_ids: tuple[int, ...] = ()
    version: int = 0


class Pin(NamedTuple):
    """The row of a post that a user has pinned, or unpinned since."""

    version: int
    pinned: bool
