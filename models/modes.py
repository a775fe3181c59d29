"""How the deployment writes: through Redis, or straight into the tables while there is no Redis to trust."""

from datetime import datetime

from sqlalchemy import ARRAY, BigInteger, Boolean, DateTime, Index, SmallInteger, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ModeTable(Base):
    """One row, once a worker has been there. `generation` grows with each change."""

    __tablename__ = "modes"

    id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    direct: Mapped[bool] = mapped_column(Boolean)
    generation: Mapped[int] = mapped_column(BigInteger)
    since: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    servers: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    """The runs of Redis servers that have been found to know all that the tables know."""

    __table_args__ = {"info": {"shard": "id"}}


class OperationTable(Base):
    """What was written straight into the tables, by operation, until Redis remembers it."""

    __tablename__ = "operations"

    actor_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    record: Mapped[str] = mapped_column(Text)
    version: Mapped[int] = mapped_column(BigInteger)
    business_id: Mapped[int | None] = mapped_column(SmallInteger)
    entity_id: Mapped[int | None] = mapped_column(BigInteger)
    verb: Mapped[str | None] = mapped_column(Text)
    """Of a reaction: what was asked for, which depends on what there was."""
    adopted: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    """Whether Redis remembers it."""
    until: Mapped[datetime] = mapped_column(DateTime(timezone=True))

    __table_args__ = (
        Index("operations_left_idx", "actor_id", "name", postgresql_where=text("NOT adopted")),
        {"info": {"shard": "actor_id"}},
    )
