"""The write mode. Normally, writes are appended to journals in Redis. While Redis is down, or not yet known to have all
changes, writes go directly to Postgres.
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
    # How many promotions of a site there were (ADR 104).
    column("term", BigInteger, server_default=text("0")),
    # The highest term that this site knows. If it is above `term`, another site takes the writes.
    column("highest_term", BigInteger, server_default=text("0")),
    # Whether a write is acknowledged only when the other site has it.
    column("synchronous", Boolean, server_default=text("false")),
    # In synchronous mode: how many replicas of the state Redis must have a write.
    column("replicas", SmallInteger, server_default=text("1")),
    # Which transactions Postgres had when this site was promoted, as text of the type pg_snapshot.
    nullable("snapshot", Text),
    # The generation in which this site was promoted; 0 if it was not.
    column("promoted_in", BigInteger, server_default=text("0")),
    local="one row, which writers lock",
)
"""The current write mode, in one row that the first worker inserts. `generation` grows with each change of the mode."""

OPERATIONS_TABLE = table(
    "operations",
    key("actor_id", BigInteger),
    key("name", Text),
    column("record", Text),
    column("version", BigInteger),
    nullable("business_id", SmallInteger),
    nullable("entity_id", BigInteger),
    # In the row of a reaction or follow: the requested verb. It cannot be derived from the new state alone.
    nullable("verb", Text),
    # Whether Redis has a copy.
    column("adopted", Boolean, server_default=text("false")),
    column("until", DateTime(timezone=True)),
    Index("operations_left_idx", "actor_id", "name", postgresql_where=text("NOT adopted")),
    shard="actor_id",
)
"""The idempotency records of direct writes, which are writes that went to Postgres without a journal. There is one row
for each intended change of a user. The row is kept until Redis has a copy of the record.
"""
