"""Recorded actions (views, shares, and those of businesses' own counters): one row each, so that each is counted once.
The column `bucket` contains the hour of an action that counts once per actor and hour, as views do. For other actions
it contains the version.
"""

from sqlalchemy import BigInteger, Index, SmallInteger

from models.base import column, key, table

VIEW, SHARE = "view", "share"
"""The kinds of the changes and journal entries of recorded actions."""

RECORDS_TABLE = table(
    "records",
    key("actor_id", BigInteger),
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    key("kind", SmallInteger),
    key("bucket", BigInteger),
    column("version", BigInteger),
    Index("records_counted_idx", "business_id", "kind", "entity_id"),
    Index("records_version_idx", "version"),
    shard="actor_id",
)
"""One row per counted action. `actor_id` is a user's id, or the negative number of an anonymous device."""

SWEPT_RECORDS_TABLE = table(
    "swept_records",
    key("business_id", SmallInteger),
    key("kind", SmallInteger),
    key("entity_id", BigInteger),
    column("value", BigInteger),
    shard="entity_id",
)
"""The number of rows of `records` that were removed because they were old, by object and kind. Counters still
include them.
"""
