"""Imported persisted operations, which every API process runs by their ids."""

from datetime import datetime

from sqlalchemy import DateTime, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class PersistedOperationTable(Base):
    """One persisted operation. Its text never changes, because its id depends on the text."""

    __tablename__ = "persisted_operations"

    id: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(Text)
    document: Mapped[str] = mapped_column(Text)
    source: Mapped[str] = mapped_column(Text)
    imported_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=text("now()"))

    __table_args__ = {"info": {"shard": "id"}}
