"""Entities: objects of other systems, such as videos, that users react to and comment on; and the keys by which those
systems identify them.
"""

from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import BigInteger, Boolean, Index, SmallInteger, Text, text
from sqlalchemy.dialects.postgresql import ARRAY

from domain.ids import EntityId
from models.base import column, key, nullable, table
from models.counters import EntityRef
from models.topics import TopicRow

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
    # The topics of the post that announces the entity. Null for none.
    nullable("topics", ARRAY(Text)),
    Index("entities_owner_idx", "owner_id", postgresql_where=text("owner_id IS NOT NULL")),
    shard="entity_id",
)
"""All registered entities. `version` grows each time the entity is registered or removed."""

ENTITY_KEYS_TABLE = table(
    "entity_keys",
    key("business_id", SmallInteger),
    key("key", Text),
    column("entity_id", BigInteger),
    shard="key",
)
"""Claims of keys: for each key of a business, the entity that has it. No two entities of a business have
the same key.
"""


@dataclass(frozen=True)
class EntityRow:
    """An entity as all users may see it. `business` is the name of its business, a line of content such as `video`;
    `business_id` is the number of the business in keys and rows. `key` identifies the entity in the system that owns
    it. A row object never changes (see `PostRow` in models/posts.py).
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
    topic_names: tuple[str, ...] = ()

    @property
    def topics(self) -> list[TopicRow]:
        """Returns the topics of the entity."""
        return [TopicRow(name) for name in self.topic_names]

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return EntityId.text(self.business, self.key)

    @cached_property
    def reactions_ref(self) -> EntityRef:
        """Returns the reference under which the likes and dislikes of the entity are stored."""
        return self.ref

    @cached_property
    def ref(self) -> EntityRef:
        """Returns the reference of the entity, under which its counters are stored."""
        return EntityRef(self.business_id, self.entity_id)

    @property
    def subject_key(self) -> tuple[int, str]:
        """Returns the key under which the settings of the comments on the entity are stored: the number of the
        business, and the entity's key.
        """
        return self.business_id, self.key

    @property
    def thread(self) -> EntityRef:
        """Returns the reference of the entity as a thread: the entity with all its comments, which users can mute."""
        return self.ref
