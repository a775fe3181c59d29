"""Claims: the idempotency keys under which posts and comments were published. Workers remove them after
`idempotency_days` (settings/retention.py).
"""

from sqlalchemy import BigInteger, Index, SmallInteger, Text

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
    Index("claims_entity_idx", "entity_id"),
    shard="author_id",
)
"""The post or comment that a user published under an idempotency key (T2)."""
