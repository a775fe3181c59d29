"""The tables of workers and of journal partitions: which worker owns which partition, and which entries of its journal
have been applied.
"""

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, Integer, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class PartitionTable(Base):
    """One row per journal partition. `head` is the version of the last entry that has been applied to the tables. The
    transaction that applies entries also moves `head`, and fails if `epoch` is not the epoch of its worker.
    """

    __tablename__ = "partitions"

    p: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    owner: Mapped[str | None] = mapped_column(Text)
    lease_until: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=text("'-infinity'"))
    epoch: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    head: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    direct: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    """The newest version that was given to a direct write."""
    drained: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    """The generation of direct writing in which all entries of this journal were applied to the tables."""
    reconciled_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=text("now()"))
    """In the row of partition 0: when all derived values were last compared with their rows."""
    drift: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=text("'{}'"))
    """In the row of partition 0: for each kind, how many keys the last comparison found wrong and did not repair."""

    __table_args__ = {"info": {"shard": "p"}}


class WorkerTable(Base):
    """The live workers. Their number determines each worker's fair share of the partitions."""

    __tablename__ = "workers"

    worker: Mapped[str] = mapped_column(Text, primary_key=True)
    seen_until: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    redis_seen: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=text("'-infinity'"))
    """When Redis last answered this worker."""
    settle_ms: Mapped[int | None] = mapped_column(Integer)
    """The worker's setting `pending_seconds`, in milliseconds."""

    __table_args__ = {"info": {"shard": "worker"}}
