"""Reactions, which are likes and dislikes: one row per user and object, which stays when the reaction is removed, and a
log of the requested changes.
"""

from enum import Enum, IntEnum

from sqlalchemy import BigInteger, Boolean, Computed, Index, SmallInteger, Text, text

from models.base import client_columns, column, key, nullable, table

REACT = "react"
"""The value of `kind` of reactions: in pending changes, in journal entries, and in the names of own sets
(models/own_sets.py).
"""


class Reaction(IntEnum):
    """A user's reaction to a post, comment or entity. The numbers are stored. NONE is stored too, so that an older like
    that arrives late changes nothing.
    """

    NONE = 0
    LIKE = 1
    DISLIKE = 2


class Verb(Enum):
    """A change of a reaction that a user requests: like, unlike, dislike or undislike."""

    LIKE = "like"
    UNLIKE = "unlike"
    DISLIKE = "dislike"
    UNDISLIKE = "undislike"

    def __init__(self, word: str) -> None:
        self.to = {"like": Reaction.LIKE, "dislike": Reaction.DISLIKE}.get(word, Reaction.NONE)
        """The reaction after the change."""
        self.only = {"unlike": Reaction.LIKE, "undislike": Reaction.DISLIKE}.get(word)
        """The reaction to which the change applies; other reactions stay as they are. None if the change applies to
        every reaction.
        """


REACTIONS_TABLE = table(
    "reactions",
    key("user_id", BigInteger),
    key("business_id", SmallInteger),
    key("entity_id", BigInteger),
    # The owner of the entity when the like was given. The like counts in this user's received likes.
    nullable("owner_id", BigInteger),
    column("state", SmallInteger),
    column("version", BigInteger),
    # The state that the last write replaced. RETURNING reports it, so a batch learns which transitions really happened.
    column("prev_state", SmallInteger, server_default=text("0")),
    nullable("prev_owner_id", BigInteger),
    # Whether the reaction was a like at any time before the last write. A repeated like causes no notification.
    column("had_liked", Boolean, server_default=text("false")),
    # The version shortened to 53 bits, which the score of a sorted set stores exactly. Lists are ordered by it in
    # Postgres and in Redis.
    column("moment", BigInteger, Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True)),
    Index(
        "reactions_recent_idx",
        "user_id",
        "business_id",
        text("moment DESC"),
        text("entity_id DESC"),
        postgresql_where=text("state <> 0"),
    ),
    Index(
        "reactions_likers_idx",
        "business_id",
        "entity_id",
        text("moment DESC"),
        text("user_id DESC"),
        postgresql_where=text("state = 1"),
    ),
    Index("reactions_dislikers_idx", "business_id", "entity_id", postgresql_where=text("state = 2")),
    # Workers find with it what is left of an erased entity.
    Index("reactions_ended_idx", "business_id", "entity_id", postgresql_where=text("state = 0")),
    Index("reactions_received_idx", "owner_id", postgresql_where=text("state = 1")),
    shard="user_id",
)
"""The reactions of all users. A change with a newer version replaces the row; an older one changes nothing."""

LIKE_LOG_TABLE = table(
    "like_log",
    key("user_id", BigInteger),
    key("version", BigInteger),
    column("business_id", SmallInteger),
    column("entity_id", BigInteger),
    nullable("owner_id", BigInteger),
    # `like`, `unlike`, `dislike` or `undislike`.
    column("verb", Text),
    nullable("source", Text),
    *client_columns(),
    Index("like_log_version_idx", "version"),
    shard="user_id",
)
"""One row for each change of a reaction that a user requested, with its verb (L13). This table is private: no field of
the API reads it. Each week of versions is one partition of the table (store/log_partitions.py).
"""
