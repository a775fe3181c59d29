"""Tables about workers and journal partitions.

A journal is a Redis stream of accepted changes; each journal with its users is a partition. The tables store which
worker owns which partition, and up to which entry of its journal the changes are stored in Postgres.
"""

from sqlalchemy import BigInteger, DateTime, Integer, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import JSONB

from models.base import column, key, nullable, table

PARTITIONS_TABLE = table(
    "partitions",
    key("p", SmallInteger),
    nullable("owner", Text),
    column("lease_until", DateTime(timezone=True), server_default=text("'-infinity'")),
    column("epoch", BigInteger, server_default=text("0")),
    column("head", BigInteger, server_default=text("0")),
    # The newest version that was given to a direct write.
    column("direct", BigInteger, server_default=text("0")),
    # The generation of direct writing in which all entries of this journal were applied to the tables.
    column("drained", BigInteger, server_default=text("0")),
    # In the row of partition 0: when all derived values were last compared with their rows.
    column("reconciled_at", DateTime(timezone=True), server_default=text("now()")),
    # In the row of partition 0: for each kind, how many keys the last comparison found wrong and did not repair.
    column("drift", JSONB, server_default=text("'{}'")),
    # The version of the last entry that this site had of the journal when it was promoted (ADR 104).
    column("promoted", BigInteger, server_default=text("0")),
    local="a row per partition, which every batch locks",
)
"""One row per journal partition. `head` is the version of the last journal entry that is stored in the tables. The
transaction that stores entries also moves `head`. It fails if another worker owns the partition, because `epoch` then
has changed.
"""

WORKERS_TABLE = table(
    "workers",
    key("worker", Text),
    column("seen_until", DateTime(timezone=True)),
    # When Redis last answered this worker.
    column("redis_seen", DateTime(timezone=True), server_default=text("'-infinity'")),
    # The worker's setting `pending_seconds`, in milliseconds.
    nullable("settle_ms", Integer),
    local="a row per worker process",
)
"""One row per worker. A worker counts as live until `seen_until`; rows of dead workers are removed later. Each worker
owns an equal share of the partitions, by the number of live workers.
"""
