"""Tables, and the row classes that the rest of the code uses.

A distributed Postgres shards each table by the first column of its primary key (docs/operate/scale.md). Every primary
key and unique index contains that column; a test checks this.
"""

from models import (
    actions,
    boundaries,
    claims,
    collections,
    comment_settings,
    comments,
    counters,
    dead_letters,
    entities,
    follows,
    journal,
    likes,
    moderation,
    nodes,
    notifications,
    outgoing,
    persisted,
    pinned_posts,
    posts,
    profiles,
    saves,
    topics,
    users,
    write_mode,
)
from models.base import METADATA

__all__ = [
    "METADATA",
    "actions",
    "boundaries",
    "claims",
    "collections",
    "comment_settings",
    "comments",
    "counters",
    "dead_letters",
    "entities",
    "follows",
    "journal",
    "likes",
    "moderation",
    "nodes",
    "notifications",
    "outgoing",
    "persisted",
    "pinned_posts",
    "posts",
    "profiles",
    "saves",
    "topics",
    "users",
    "write_mode",
]
