"""Dead letters: journal entries that Postgres refused. A dead letter contains the complete entry, and is kept until an
operator replays or removes it.
"""

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import BYTEA
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class DeadLetterTable(Base):
    """One journal entry that Postgres refused. `entry` contains the fields of the entry as JSON in bytes, so that any
    content fits.
    """

    __tablename__ = "dead_letters"

    p: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    version: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    entry: Mapped[bytes] = mapped_column(BYTEA)
    error: Mapped[str] = mapped_column(Text)
    refused_at: Mapped[datetime] = mapped_column(DateTime(timezone=True), server_default=text("now()"))

    __table_args__ = {"info": {"shard": "p"}}
