"""Saves: one row per user and saved object, which stays when the save is removed."""

from enum import Enum
from typing import NamedTuple

from sqlalchemy import BigInteger, Computed, Index, SmallInteger, text

from models.base import column, key, table
from models.counters import EntityRef
from settings import COMMENTS, POSTS

SAVE = "save"
"""The value of `kind` of saves: in pending changes, in journal entries, and in the names of own sets
(models/own_sets.py).
"""

NOT_SAVED = 0
"""The value of `collection_id` for an object that is not saved any more."""
DEFAULT = 1
"""The value of `collection_id` for an object that is saved into no collection. Ids of collections are larger."""
KEPT = -1
"""In a request: leave the object in its present collection; if it is not saved, save it into none. Is never stored."""


class SavedKind(Enum):
    """The kind of a saved object. The values are stored."""

    POST = 1
    COMMENT = 2
    ENTITY = 3

    @classmethod
    def of(cls, ref: EntityRef) -> "SavedKind":
        """Returns the kind of the object with this reference."""
        return {POSTS: cls.POST, COMMENTS: cls.COMMENT}.get(ref.business_id, cls.ENTITY)


class Save(NamedTuple):
    """An object that a user has saved. Saves are ordered by their moments, then by their objects."""

    moment: int
    business_id: int
    entity_id: int
    collection_id: int

    @property
    def ref(self) -> EntityRef:
        """Returns the reference of the saved object."""
        return EntityRef(self.business_id, self.entity_id)


_PLACE = text("moment DESC"), text("business_id DESC"), text("entity_id DESC")
SAVES_TABLE = table(
    "saves",
    key("user_id", BigInteger),
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # Where the target is saved: 1, or the id of a collection. 0 once the save was removed.
    column("collection_id", BigInteger),
    column("version", BigInteger),
    # The collection that the last write replaced. RETURNING reports it, as `prev_state` of reactions.
    column("prev_collection_id", BigInteger, server_default=text("0")),
    # As the moment of a reaction.
    column("moment", BigInteger, Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True)),
    column(
        "kind",
        SmallInteger,
        Computed(
            f"CASE business_id WHEN {POSTS} THEN {SavedKind.POST.value} WHEN {COMMENTS} THEN {SavedKind.COMMENT.value} "
            f"ELSE {SavedKind.ENTITY.value} END",
            persisted=True,
        ),
    ),
    Index("saves_recent_idx", "user_id", "kind", *_PLACE, postgresql_where=text("collection_id <> 0")),
    Index(
        "saves_collection_idx",
        "user_id",
        "collection_id",
        "kind",
        *_PLACE,
        postgresql_where=text("collection_id > 1"),
    ),
    Index("saves_savers_idx", "business_id", "entity_id", postgresql_where=text("collection_id <> 0")),
    Index("saves_ended_idx", "business_id", "entity_id", postgresql_where=text("collection_id = 0")),
    shard="user_id",
)
"""The saves of all users. A change with a newer version replaces the row; an older one changes nothing."""
