"""The tables of workers and of journal partitions: which worker owns which partition, and which entries of its journal
have been applied.
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
    local="a row per partition, which every batch locks",
)
"""One row per journal partition. `head` is the version of the last entry that has been applied to the tables. The
transaction that applies entries also moves `head`, and fails if `epoch` is not the epoch of its worker.
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
"""One row per worker. A worker is live until `seen_until`; rows of dead workers are removed later. The number of live
workers determines each worker's fair share of the partitions.
"""
