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
    # The labels that services have set, and those that moderators have set, as bits (domain/labels.py).
    column("labels", BigInteger, server_default=text("0")),
    column("moderator_labels", BigInteger, server_default=text("0")),
    # The version of the moderators' last change of the labels.
    column("labels_version", BigInteger, server_default=text("0")),
    # Whether workers remove or have removed everything about the entity. Such a row is never registered again.
    column("erased", Boolean, server_default=text("false")),
    Index("entities_owner_idx", "owner_id", postgresql_where=text("owner_id IS NOT NULL")),
    Index("entities_erased_idx", "business_id", "key", postgresql_where=text("erased")),
    shard="entity_id",
)
"""All registered entities. `version` grows each time the entity is registered, labeled or removed."""

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

ERASURES_TABLE = table(
    "erasures",
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # When the erasure was requested or, if later, when workers last appended a change that undoes something below the
    # entity, in milliseconds since the Unix epoch.
    column("since_ms", BigInteger),
    # Nothing has to be undone about the comments up to this id.
    column("reached", BigInteger, server_default=text("0")),
    # How many changes and rows were removed so far.
    column("removed", BigInteger, server_default=text("0")),
    # Whether a legal hold on a user stops the erasure.
    column("held", Boolean, server_default=text("false")),
    # When nothing was left; null before.
    nullable("finished_ms", BigInteger),
    Index("erasures_unfinished_idx", "since_ms", postgresql_where=text("finished_ms IS NULL")),
    shard="entity_id",
)
"""One row for each entity that is being erased or was erased. The row stays, so that an erasure can be repeated after a
backup was restored.
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
    labels: int = 0
    """The labels that services have set, as bits (domain/labels.py)."""
    moderator_labels: int = 0
    """The labels that moderators have set, as bits. Services cannot remove them."""
    topic_names: tuple[str, ...] = ()

    @property
    def all_labels(self) -> int:
        """Returns the labels of services and of moderators, as bits (domain/labels.py)."""
        return self.labels | self.moderator_labels

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
