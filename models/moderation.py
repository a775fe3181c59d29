"""The tables of moderation: posts and comments that wait for the external reviewer, and digests of recent
submissions.
"""

from sqlalchemy import BigInteger, Index, SmallInteger, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ReviewTable(Base):
    """Posts and comments that wait for the external reviewer. `content_version` is the version of the content to
    review.
    """

    __tablename__ = "reviews"

    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    partition: Mapped[int] = mapped_column(SmallInteger)
    """The author's partition. The worker that owns it asks the reviewer."""
    content_version: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (Index("reviews_due_idx", "partition", "content_version"), {"info": {"shard": "entity_id"}})


class TraceTable(Base):
    """Digests of the recent submissions of authors. Risk rules compare new submissions with them."""

    __tablename__ = "traces"

    author_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    at_ms: Mapped[int] = mapped_column(BigInteger)
    """When the author wrote the current content, in milliseconds since the Unix epoch."""
    content: Mapped[int | None] = mapped_column(BigInteger)
    """A fingerprint of the content. Equal content has an equal fingerprint."""
    links: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    """Fingerprints of the URLs in the content."""

    __table_args__ = (Index("traces_recent_idx", "author_id", text("at_ms DESC")), {"info": {"shard": "author_id"}})
