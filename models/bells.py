"""Bells: the users about whose new posts a user wants notifications; and the progress of these notifications."""

from sqlalchemy import BigInteger, Boolean, Index, text

from models.base import column, key, table

BELL = "bell"
"""The kind of the changes, journal entries and own sets of bells."""

BELLS_TABLE = table(
    "bells",
    key("user_id", BigInteger),
    key("author_id", BigInteger),
    column("stands", Boolean),
    column("version", BigInteger),
    Index("bells_author_idx", "author_id", "user_id", postgresql_where=text("stands")),
    shard="user_id",
)
"""One row for each author about whose posts a user has ever wanted notifications. `stands` is false after the user has
switched them off. The row then stays, so that an older change that arrives late changes nothing.
"""

RINGS_TABLE = table(
    "rings",
    key("author_id", BigInteger),
    key("post_id", BigInteger),
    # The version of the change that made the post public.
    column("version", BigInteger),
    column("reached", BigInteger, server_default=text("0")),
    Index("rings_version_idx", "version"),
    shard="author_id",
)
"""Public posts about which not all users with a bell have been notified. Users with an id up to `reached` are done."""
