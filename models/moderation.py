"""The tables of moderation: posts and comments that wait for the external reviewer, and digests of recent
submissions.
"""

from sqlalchemy import BigInteger, Index, SmallInteger, Text, text
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
"""Posts and comments that wait for the external reviewer. `content_version` is the version of the content to
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
"""Digests of the recent submissions of authors, with the network and device of each. Risk rules compare new submissions
with them.
"""
