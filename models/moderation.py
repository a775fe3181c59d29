"""Tables of moderation: posts and comments that wait for the external reviewer, fingerprints of recent submissions, and
the word lists that operators have set.
"""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import BigInteger, DateTime, Index, Integer, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import ARRAY

from models.base import column, key, nullable, table

REVIEWS_TABLE = table(
    "reviews",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # The author's partition. The worker that owns it asks the reviewer.
    column("partition", SmallInteger),
    column("content_version", BigInteger),
    Index("reviews_due_idx", "partition", "content_version"),
    shard="entity_id",
)
"""The posts and comments that wait for the external reviewer. `content_version` is the version of the content to
review.
"""

TRACES_TABLE = table(
    "traces",
    key("author_id", BigInteger),
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # When the author wrote the current content, in milliseconds since the Unix epoch.
    column("at_ms", BigInteger),
    # A fingerprint of the content. Equal content has an equal fingerprint.
    nullable("content", BigInteger),
    # Fingerprints of the URLs in the content.
    column("links", ARRAY(BigInteger)),
    # The network and the device id of the author's request. Null if no rule counts submissions by them.
    nullable("network", Text),
    nullable("device", Text),
    Index("traces_recent_idx", "author_id", text("at_ms DESC")),
    Index("traces_network_idx", "network", "at_ms", postgresql_where=text("network IS NOT NULL")),
    Index("traces_device_idx", "device", "at_ms", postgresql_where=text("device IS NOT NULL")),
    Index("traces_old_idx", "at_ms", postgresql_where=text("network IS NOT NULL OR device IS NOT NULL")),
    shard="author_id",
)
"""Fingerprints of the contents and links of recent posts and comments, with the network and device from which they were
sent. The spam rules compare new posts and comments with them.
"""

WORD_LISTS_TABLE = table(
    "word_lists",
    # 1 for the first list; each later list has the next number.
    key("revision", Integer),
    column("words", Text),
    # The name of the operator, as the operator gave it.
    column("changed_by", Text),
    nullable("reason", Text),
    column("changed_at", DateTime(timezone=True)),
    local="a row per change, of which processes read the newest",
)
"""All word lists that operators have set. The newest is used. Rows are only added, so the table is also the log of the
changes.
"""


class WordListChange(NamedTuple):
    """A change of the word list: the number of the new revision, who made it, why, and when."""

    revision: int
    changed_by: str
    reason: str | None
    changed_at: datetime
