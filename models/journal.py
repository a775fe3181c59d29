"""Who reads which journal partition, and how far its events are in the tables."""

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, Integer, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class PartitionTable(Base):
    """`head` moves in the very transaction that writes the events up to it, and only under the owner's epoch."""

    __tablename__ = "partitions"

    p: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    owner: Mapped[str | None] = mapped_column(Text)
    lease_until: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=text("'-infinity'"))
    epoch: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    head: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    direct: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    """The newest version that was given to a change written straight into the tables."""
    drained: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    """The generation of direct writing in which everything in the journal has come into the tables."""
    reconciled_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=text("now()"))
    """Of partition 0: when everything was last compared with its rows."""
    drift: Mapped[dict[str, int]] = mapped_column(JSONB, server_default=text("'{}'"))
    """Of partition 0: how many keys of each kind drifted when it was last compared, and were not repaired."""

    __table_args__ = {"info": {"shard": "p"}}


class WorkerTable(Base):
    """Which workers are alive: what a fair share of the partitions is."""

    __tablename__ = "workers"

    worker: Mapped[str] = mapped_column(Text, primary_key=True)
    seen_until: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    redis_seen: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=text("'-infinity'"))
    """When Redis answered it last."""
    settle_ms: Mapped[int | None] = mapped_column(Integer)
    """Its setting."""

    __table_args__ = {"info": {"shard": "worker"}}
