"""Claims: idempotency keys of posts and comments, which never expire."""

from sqlalchemy import BigInteger, SmallInteger, Text
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ClaimTable(Base):
    """The post or comment that a user published under an idempotency key (T2)."""

    __tablename__ = "claims"

    author_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    """A digest of the client's idempotency key."""
    fingerprint: Mapped[str] = mapped_column(Text)
    """A digest of the input. It shows whether a repeated request has the same input."""
    entity_id: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = {"info": {"shard": "author_id"}}
