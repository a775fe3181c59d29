"""Settings of the comments on a post or entity: who may comment, and which comment is pinned. The post's author or the
entity's owner changes them.
"""

from dataclasses import dataclass
from enum import IntEnum

from sqlalchemy import BigInteger, SmallInteger, Text, text

from models.base import column, key, table


class CommentPolicy(IntEnum):
    """Who may comment on a post or entity, besides its author or owner. The numbers are stored: never reuse one."""

    EVERYONE = 0
    FOLLOWED = 1
    """Users whom the author or owner follows."""
    MENTIONED = 2
    """Users whom the text of the post mentions."""
    NOBODY = 3


COMMENT_SETTINGS_TABLE = table(
    "comment_settings",
    key("business_id", SmallInteger),
    # The key of the entity; the id of the post.
    key("key", Text),
    # A `CommentPolicy`.
    column("policy", SmallInteger, server_default=text("0")),
    # The version of the change that set the policy.
    column("policy_version", BigInteger, server_default=text("0")),
    # The pinned comment; 0 if none is pinned.
    column("pinned_id", BigInteger, server_default=text("0")),
    # The version of the last change that pinned a comment.
    column("pin_version", BigInteger, server_default=text("0")),
    # Grows with every change of the row.
    column("version", BigInteger),
    shard="key",
)
"""The settings of the comments on posts and entities. A post or entity without changed settings has no row."""

SubjectKey = tuple[int, str]
"""Identifies a post or entity before it is read: the number of its business (2 for posts), and the id of the post as a
text or the key of the entity.
"""


@dataclass(frozen=True, slots=True)
class CommentSettings:
    """The settings of the comments on one post or entity. `pinned_id` is the pinned comment, or 0.

    `policy_version` is the version of the last change that set the policy, and `pin_version` that of the last change
    that pinned a comment. `version` is that of the row; 0 if there is no row.
    """

    policy: CommentPolicy = CommentPolicy.EVERYONE
    policy_version: int = 0
    pinned_id: int = 0
    pin_version: int = 0
    version: int = 0
