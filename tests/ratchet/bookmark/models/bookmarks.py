"""Bookmarks: one row for each user and object, which stays when the bookmark is removed."""

from sqlalchemy import BigInteger, Boolean, Computed, Index, SmallInteger, text

from models.base import column, key, table

BOOKMARK = "bookmark"
"""The kind of the changes, journal entries and own sets of bookmarks."""
BOOKMARKS = 99
"""The number of the counter of an object's bookmarks."""

BOOKMARKS_TABLE = table(
    "bookmarks",
    key("user_id", BigInteger),
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    column("stands", Boolean),
    # Whether the row stood before the last write, which RETURNING reports.
    column("was", Boolean, server_default=text("false")),
    column("version", BigInteger),
    column("moment", BigInteger, Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True)),
    Index("bookmarks_marked_idx", "business_id", "entity_id"),
    shard="user_id",
)
"""The bookmarks of all users. A newer version replaces the row; an older one changes nothing."""
