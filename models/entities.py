"""Entities: external things that users react to, and the keys by which their owner systems identify them."""

from dataclasses import dataclass

from sqlalchemy import BigInteger, Boolean, SmallInteger, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from domain.ids import EntityId
from models.base import Base
from models.counters import EntityRef


class EntityTable(Base):
    """Registered entities. `version` grows with every registration that changes the entity."""

    __tablename__ = "entities"

    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    entity_id: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(Text)
    owner_id: Mapped[int | None] = mapped_column(BigInteger)
    title: Mapped[str | None] = mapped_column(Text)
    url: Mapped[str | None] = mapped_column(Text)
    comments_closed: Mapped[bool] = mapped_column(Boolean, server_default=text("false"))
    version: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))

    __table_args__ = {"info": {"shard": "entity_id"}}


class EntityKeyTable(Base):
    """A claim: the entity to which a business has given a key."""

    __tablename__ = "entity_keys"

    business_id: Mapped[int] = mapped_column(SmallInteger, primary_key=True, autoincrement=False)
    key: Mapped[str] = mapped_column(Text, primary_key=True)
    entity_id: Mapped[int] = mapped_column(BigInteger)

    __table_args__ = {"info": {"shard": "key"}}


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity as all users may see it. `business` is the name of its business; `business_id` is the number used in
    keys and rows.
    """

    business_id: int
    entity_id: int
    business: str
    key: str
    owner_id: int | None
    title: str | None
    url: str | None
    comments_closed: bool
    version: int

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return EntityId.text(self.business, self.key)

    @property
    def ref(self) -> EntityRef:
        """Returns the reference under which the entity's counters are stored."""
        return EntityRef(self.business_id, self.entity_id)
