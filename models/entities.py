"""Entities: external things that users react to, and the keys by which their owner systems identify them."""

from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import BigInteger, Boolean, SmallInteger, Text, text

from domain.ids import EntityId
from models.base import column, key, nullable, table
from models.counters import EntityRef

ENTITIES_TABLE = table(
    "entities",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    column("key", Text),
    nullable("owner_id", BigInteger),
    nullable("title", Text),
    nullable("url", Text),
    column("comments_closed", Boolean, server_default=text("false")),
    column("version", BigInteger, server_default=text("0")),
    # Whether the business has removed the entity. Its reactions and comments stay stored.
    column("removed", Boolean, server_default=text("false")),
    # A JSON object as text.
    nullable("custom", Text),
    shard="entity_id",
)
"""Registered entities. `version` grows with every registration and removal of the entity."""

ENTITY_KEYS_TABLE = table(
    "entity_keys",
    key("business_id", SmallInteger),
    key("key", Text),
    column("entity_id", BigInteger),
    shard="key",
)
"""A claim: the entity to which a business has given a key."""


@dataclass(frozen=True)
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
    removed: bool = False
    custom: str | None = None

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return EntityId.text(self.business, self.key)

    @cached_property
    def reactions_ref(self) -> EntityRef:
        """Returns the reference under which the reactions to the entity are stored."""
        return self.ref

    @cached_property
    def ref(self) -> EntityRef:
        """Returns the reference under which the entity's counters are stored."""
        return EntityRef(self.business_id, self.entity_id)

    @property
    def subject_key(self) -> tuple[int, str]:
        """Returns the name under which the settings of comments on the entity are stored: the number of the business,
        and the key.
        """
        return self.business_id, self.key

    @property
    def thread(self) -> EntityRef:
        """Returns the thread of the entity, which users can mute: the entity with all its comments."""
        return self.ref
