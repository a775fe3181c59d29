"""Persisted operations that were imported: what every API process runs by id."""

from datetime import datetime

from sqlalchemy import DateTime, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class PersistedOperationTable(Base):
    """One operation. Its text never changes: another text has another id."""

    __tablename__ = "persisted_operations"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text)
    document: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    imported_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=text("now()"))

    __table_args__ = {"info": {"shard": "id"}}
