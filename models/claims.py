"""Claims: idempotency keys that are kept for ever."""

from sqlalchemy import BigInteger, SmallInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ClaimTable(Base):
    """What somebody published under an idempotency key (T2)."""

    __tablename__ = "claims"

    author_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    """A digest of the client's."""
    fingerprint: Mapped[str] = mapped_column(Text)
    """Of the input, which tells another input apart."""
    entity_id: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = {"info": {"shard": "author_id"}}
