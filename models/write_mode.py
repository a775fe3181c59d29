"""The write mode: whether writes go through the journal, or directly to Postgres while Redis is down or not yet
verified.
"""

from sqlalchemy import ARRAY, BigInteger, Boolean, DateTime, Index, SmallInteger, Text, text

from models.base import column, key, nullable, table

MODES_TABLE = table(
    "modes",
    key("id", SmallInteger),
    column("direct", Boolean),
    column("generation", BigInteger),
    column("since", DateTime(timezone=True)),
    # The run ids of the Redis servers that a worker has verified: they have all changes that the tables have.
    column("servers", ARRAY(Text), server_default=text("'{}'")),
    local="one row, which writers lock",
)
"""The current write mode: one row, which a worker inserts when it first runs. `generation` grows with each change
of the mode.
"""

OPERATIONS_TABLE = table(
    "operations",
    key("actor_id", BigInteger),
    key("name", Text),
    column("record", Text),
    column("version", BigInteger),
    nullable("business_id", SmallInteger),
    nullable("entity_id", BigInteger),
    # In the row of a reaction: the requested verb. It cannot be derived from the new state alone.
    nullable("verb", Text),
    # Whether Redis has a copy.
    column("adopted", Boolean, server_default=text("false")),
    column("until", DateTime(timezone=True)),
    Index("operations_left_idx", "actor_id", "name", postgresql_where=text("NOT adopted")),
    shard="actor_id",
)
"""The idempotency records of direct writes: one row for each intended change of an actor. A row is kept until Redis
has a copy of the record.
"""
