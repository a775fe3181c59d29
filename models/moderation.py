"""The tables of moderation: posts and comments that wait for the external reviewer, and digests of recent
submissions.
"""

from sqlalchemy import BigInteger, Index, SmallInteger, text
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
    Index("traces_recent_idx", "author_id", text("at_ms DESC")),
    shard="author_id",
)
"""Digests of the recent submissions of authors. Risk rules compare new submissions with them."""
