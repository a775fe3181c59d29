"""Leases of the node numbers that are part of ids."""

from datetime import datetime

from sqlalchemy import DateTime, Integer, SmallInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class NodeTable(Base):
    """One row per node number that was ever leased. The number that has been free for longest is leased next."""

    __tablename__ = "nodes"

    node: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    owner: Mapped[str] = mapped_column(Text)
    lease_until: Mapped[datetime] = mapped_column(DateTime(timezone=True))
    settle_ms: Mapped[int | None] = mapped_column(Integer)
    """The process's setting `pending_seconds`, in milliseconds."""

    __table_args__ = {"info": {"shard": "node"}}
