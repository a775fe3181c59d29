"""Announcements: the posts with which entities come into feeds. A business chooses it with `in_feeds`."""

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger, text

from models.base import column, key, table
from models.entities import EntityRow

MOST_PER_HOUR = 10
"""The most entities of one owner that are announced in an hour, so that a bulk registration does not fill home."""

ANNOUNCEMENTS_TABLE = table(
    "announcements",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    key("post_id", BigInteger),
    # The owner of the entity at that time, who is the author of the post.
    column("author_id", BigInteger),
    column("announced_ms", BigInteger),
    # Whether the post must be deleted: the entity was removed, or has another owner now.
    column("withdrawn", Boolean, server_default=text("false")),
    # The version of the entity that the post must show, and the version that a worker has made it show.
    column("wanted", BigInteger),
    column("shown", BigInteger, server_default=text("0")),
    Index("announcements_due_idx", "announced_ms", postgresql_where=text("withdrawn OR wanted > shown")),
    Index("announcements_author_idx", "author_id", "announced_ms"),
    shard="entity_id",
)
"""The posts that announce entities. A worker publishes and deletes them. An entity has at most one that is not
withdrawn.
"""


def author_of(entity: EntityRow | None) -> int | None:
    """Returns the id of the user whose post announces an entity: its owner. None for an entity that is not announced:
    one that does not exist, was removed, or has no owner or no title.
    """
    return entity.owner_id if entity and entity.title and not entity.removed else None
