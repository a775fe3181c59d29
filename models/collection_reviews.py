"""Public collections whose names wait for the decision of the external reviewer."""

from sqlalchemy import BigInteger, Index, SmallInteger, Text

from models.base import column, key, nullable, table

COLLECTION_REVIEWS_TABLE = table(
    "collection_reviews",
    key("user_id", BigInteger),
    key("collection_id", BigInteger),
    # The user's partition. The worker that owns it asks the reviewer.
    column("partition", SmallInteger),
    # The time from which the reviewer is asked, as a journal id. It grows with each new name.
    column("version", BigInteger),
    # Why the reviewer has rejected the name, and what it says about known illegal content; null before that. A worker
    # stores them before it makes the collection private.
    nullable("reason", Text),
    nullable("match", Text),
    Index("collection_reviews_due_idx", "partition", "version"),
    shard="user_id",
)
"""The public collections whose names wait for the external reviewer. The names themselves are in `collections`."""
