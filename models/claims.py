"""Claims: the idempotency keys under which posts and comments were published. They never expire."""

from sqlalchemy import BigInteger, SmallInteger, Text

from models.base import column, key, table

CLAIMS_TABLE = table(
    "claims",
    key("author_id", BigInteger),
    key("business_id", SmallInteger),
    # A digest of the client's idempotency key.
    key("key", Text),
    # A digest of the input. It shows whether a repeated request has the same input.
    column("fingerprint", Text),
    column("entity_id", BigInteger),
    shard="author_id",
)
"""The post or comment that a user published under an idempotency key (T2)."""
