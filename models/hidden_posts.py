"""Hidden posts: the posts that a user does not want to see in lists. With some of them, the user has also said that
lists should have fewer posts like this one (showLess).
"""

from typing import NamedTuple

from sqlalchemy import BigInteger, SmallInteger

from models.base import column, key, table
from models.counters import EntityRef
from settings import POSTS

HIDDEN_POST = "hidden_post"
"""The value of `kind` of changes of hidden posts: in pending changes, in journal entries, and in the names of own sets
(models/own_sets.py).
"""
HIDDEN, LESS = 1, 2
"""The states of a hidden post: HIDDEN after hidePost, LESS after showLess. Both hide the post."""

HIDDEN_POSTS_TABLE = table(
    "hidden_posts",
    key("user_id", BigInteger),
    key("post_id", BigInteger),
    # HIDDEN, LESS, or 0 if the post is not hidden any more.
    column("state", SmallInteger),
    column("version", BigInteger),
    shard="user_id",
)
"""One row for each post that a user has ever hidden. A change with a newer version replaces the row."""


class HiddenPost(NamedTuple):
    """A hidden post: the moment of the last change, and whether the user wants to see fewer posts like this one."""

    moment: int
    is_less: bool


def hidden_post(post_id: int) -> EntityRef:
    """Returns the reference of a post as a member of users' own sets."""
    return EntityRef(POSTS, post_id)
