"""The write mode: whether writes go through the journal, or directly to Postgres while Redis is down or not yet
verified.
"""

from datetime import datetime

from sqlalchemy import ARRAY, BigInteger, Boolean, DateTime, Index, SmallInteger, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ModeTable(Base):
    """The current write mode: one row, which a worker inserts when it first runs. `generation` grows with each change
    of the mode.
    """

    __tablename__ = "modes"

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    direct: Mapped[bool] = mapped_column(Boolean)
    generation: Mapped[int] = mapped_column(BigInteger)
    since: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    servers: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    """The run ids of the Redis servers that a worker has verified: they have all changes that the tables have."""

    __table_args__ = {"info": {"shard": "id"}}


class OperationTable(Base):
    """The idempotency records of direct writes: one row for each intended change of an actor. A row is kept until Redis
    has a copy of the record.
    """

    __tablename__ = "operations"

    actor_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    record: Mapped[str] = mapped_column(Text)
    version: Mapped[int] = mapped_column(BigInteger)
    business_id: Mapped[int | None] = mapped_column(SmallInteger)
    entity_id: Mapped[int | None] = mapped_column(BigInteger)
    verb: Mapped[str | None] = mapped_column(Text)
    """In the row of a reaction: the requested verb. It cannot be derived from the new state alone."""
    adopted: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    """Whether Redis has a copy."""
    until: Mapped[datetime] = mapped_column(DateTime(timezone=True))

    __table_args__ = (
        Index("operations_left_idx", "actor_id", "name", postgresql_where=text("NOT adopted")),
        {"info": {"shard": "actor_id"}},
    )
