"""Moderation: what is asked of the external reviewer, and what risk rules remember."""

from sqlalchemy import BigInteger, Index, SmallInteger, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ReviewTable(Base):
    """Posts and comments that wait for the external reviewer, by the version of what is to be reviewed."""

    __tablename__ = "reviews"

    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    partition: Mapped[int] = mapped_column(SmallInteger)
    """Its author's: whoever owns it asks."""
    content_version: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("reviews_due_idx", "partition", "content_version"), {"info": {"shard": "entity_id"}})


class TraceTable(Base):
    """What an author has submitted lately, as risk rules compare it with what comes next."""

    __tablename__ = "traces"

    author_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at_ms: Mapped[int] = mapped_column(BigInteger)
    """When its author wrote it as it is now."""
    content: Mapped[int | None] = mapped_column(BigInteger)
    """A fingerprint of what it says: the same for what is said again."""
    links: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    """Fingerprints of the addresses in it."""

    __table_args__ = (Index("traces_recent_idx", "author_id", text("at_ms DESC")), {"info": {"shard": "author_id"}})
