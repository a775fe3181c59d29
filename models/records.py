"""Views and shares: what makes counting them exact. A view's bucket is its hour, a share's is its own version."""

from sqlalchemy import BigInteger, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class RecordTable(Base):
    """One row per counted view or share; `actor_id` is a user, or the negative number of an anonymous device."""

    __tablename__ = "records"

    actor_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    kind: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    bucket: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    version: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (
        Index("records_counted_idx", "business_id", "kind", "entity_id"),
        {"info": {"shard": "actor_id"}},
    )
