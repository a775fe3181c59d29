"""Recorded actions (views, shares, and those of businesses' own counters): one row each, so that each is counted once.
The column `bucket` contains the hour of an action that counts once per actor and hour, as views do. For other actions
it contains the version.
"""

from sqlalchemy import BigInteger, Index, SmallInteger
from sqlalchemy.orm import Mapped, mapped_column

from models.base import Base


class ActionTable(Base):
    """One row per counted action. `actor_id` is a user's id, or the negative number of an anonymous device."""

    __tablename__ = "records"

    actor_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    kind: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    bucket: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    version: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = (
        Index("records_counted_idx", "business_id", "kind", "entity_id"),
        Index("records_version_idx", "version"),
        {"info": {"shard": "actor_id"}},
    )


class SweptActionTable(Base):
    """The number of rows of `records` that were removed because they were old, by object and kind. Counters still
    include them.
    """

    __tablename__ = "swept_records"

    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    kind: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    value: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = {"info": {"shard": "entity_id"}}
