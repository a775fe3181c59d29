"""Tables, and the rows the domain speaks in.

A distributed Postgres shards each table by the column its key begins with (docs/operate/scale.md); every key and unique
index contains that column, and a test holds every table to it.
"""

from models import (
    claims,
    comments,
    counters,
    dead_letters,
    entities,
    follows,
    journal,
    likes,
    moderation,
    modes,
    nodes,
    notifications,
    persisted,
    posts,
    profiles,
    records,
    topics,
    users,
)
from models.base import Base

__all__ = [
    "Base",
    "claims",
    "comments",
    "counters",
    "dead_letters",
    "entities",
    "follows",
    "journal",
    "likes",
    "moderation",
    "modes",
    "nodes",
    "notifications",
    "persisted",
    "posts",
    "profiles",
    "records",
    "topics",
    "users",
]
