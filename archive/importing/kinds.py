"""The kinds of records, in the order in which they are imported: a kind comes after the kinds to which its records
refer.
"""

from collections.abc import Mapping

from archive.importing import (
    blocks,
    collections,
    comments,
    content_follows,
    entities,
    follows,
    mutes,
    posts,
    reactions,
    reposts,
    saves,
    users,
)
from archive.importing.run import Kind

KINDS: Mapping[str, Kind] = {
    "user": Kind(1000, 1, users.store),
    "entity": Kind(1000, 1, entities.store),
    "follow": Kind(5000, 2, follows.store),
    "contentFollow": Kind(5000, 1, content_follows.store),
    "block": Kind(5000, 1, blocks.store),
    "mute": Kind(5000, 1, mutes.store),
    "post": Kind(1000, 1, posts.store),
    "comment": Kind(1000, 1, comments.store),
    "reaction": Kind(10_000, 2, reactions.store),
    "repost": Kind(5000, 2, reposts.store),
    "collection": Kind(1000, 1, collections.store),
    "save": Kind(5000, 2, saves.store),
}
