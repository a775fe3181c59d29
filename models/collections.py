"""Collections: named groups of the posts, comments and entities that a user has saved."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Self

from sqlalchemy import BigInteger, Boolean, Index, Text, text

from domain.ids import CollectionId, born_ms
from domain.moderation.verdicts import Submission
from models.base import at, column, key, table
from models.counters import EntityRef
from models.own_sets import Member
from settings import COLLECTIONS

COLLECTION = "collection"
"""The value of `kind` of collections: in pending changes, in journal entries, and in the names of own sets
(models/own_sets.py).
"""

COLLECTIONS_TABLE = table(
    "collections",
    key("user_id", BigInteger),
    key("collection_id", BigInteger),
    column("name", Text),
    column("is_public", Boolean),
    column("deleted", Boolean),
    column("version", BigInteger),
    # Whether nothing is saved in the deleted collection any more.
    column("emptied", Boolean, server_default=text("false")),
    # Whether a moderator has made the collection private. Then the owner cannot make it public.
    column("held", Boolean, server_default=text("false")),
    # The version of the last decision of a moderator about the collection.
    column("judged", BigInteger, server_default=text("0")),
    Index("collections_leaving_idx", "user_id", "collection_id", postgresql_where=text("deleted AND NOT emptied")),
    shard="user_id",
)
"""The collections of all users. A change with a newer version replaces the row; an older one changes nothing. The row
of a deleted collection stays, without a name. What moderators decide has its own version.
"""


@dataclass(frozen=True)
class CollectionRow:
    """A collection that is not deleted."""

    owner_id: int
    collection_id: int
    name: str
    is_public: bool

    @property
    def global_id(self) -> str:
        """Returns the id that clients use."""
        return CollectionId.text(self.owner_id, self.collection_id)

    @cached_property
    def ref(self) -> EntityRef:
        """Returns the reference of the collection, under which its pending changes are stored."""
        return EntityRef(COLLECTIONS, self.collection_id)

    @property
    def text(self) -> str:
        """Returns the text of the collection in its owner's own set of collections: `1 name` if others may see it, else
        `0 name`.
        """
        return f"{int(self.is_public)} {self.name}"

    @classmethod
    def of(cls, owner_id: int, member: Member) -> Self:
        """Returns the collection that a member of the owner's own set stands for."""
        public, _, name = member.text.partition(" ")
        return cls(owner_id, member.ref.entity_id, name, public == "1")

    def submission(self, at_ms: int) -> Submission:
        """Returns the name of the collection as the submission that moderation checks. `at_ms` is the time at which the
        name was given, in milliseconds since the Unix epoch.
        """
        return Submission(
            kind="collection",
            id=self.collection_id,
            author_id=self.owner_id,
            author_created_at=at(born_ms(self.owner_id)),
            text=self.name,
            image_urls=(),
            image_alts=(),
            topics=(),
            submitted_at=at(at_ms),
        )

    @property
    def created_at(self) -> datetime:
        """Returns the time at which the collection was created, which its id contains."""
        return at(born_ms(self.collection_id))
