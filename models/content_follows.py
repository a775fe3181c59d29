"""Content follows: the topics and entities that users follow. One row for each user and object, which stays when the
user unfollows the object.
"""

from typing import NamedTuple

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger, Text, text

from models.base import column, key, table

CONTENT_FOLLOW = "content_follow"
"""The value of `kind` of follows of topics and entities: in pending changes, in journal entries, and in the names of
own sets (models/own_sets.py).
"""
CONTENT_FOLLOWERS = 16
"""The number of the counter of the followers of a topic or entity."""
_NAMED = "# "
"""What precedes the name of a topic in the text that an own set stores. Such a text must contain a space."""

CONTENT_FOLLOWS_TABLE = table(
    "content_follows",
    key("user_id", BigInteger),
    # The topic or entity.
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # The name of the topic, which never changes. Empty for an entity.
    column("name", Text),
    column("stands", Boolean),
    # Whether the follow stood before the last write, which RETURNING reports.
    column("was", Boolean, server_default=text("false")),
    column("version", BigInteger),
    Index("content_follows_followers_idx", "business_id", "entity_id"),
    shard="user_id",
)
"""The follows of topics and entities. `stands` is false after an unfollow. A change with a newer version replaces the
row; an older one changes nothing.
"""


class ContentFollow(NamedTuple):
    """A follow of a topic or entity: the moment of the follow, and the name of the topic (empty for an entity)."""

    moment: int
    name: str


def text_of(name: str) -> str:
    """Returns the text that an own set stores with a followed object. `name` is the name of a topic; empty for an
    entity.
    """
    return f"{_NAMED}{name}" if name else ""


def name_in(text: str) -> str:
    """Returns the name of a topic from the text that `text_of` has returned."""
    return text.removeprefix(_NAMED)
