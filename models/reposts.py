"""Reposts: one row for each user and reposted post, which stays when the user removes the repost."""

from sqlalchemy import BigInteger, Boolean, Computed, Index, text

from models.base import column, key, nullable, table

REPOST = "repost"
"""The kind of the changes, journal entries and own sets of reposts."""
_IDS = 63

REPOSTS_TABLE = table(
    "reposts",
    key("user_id", BigInteger),
    key("post_id", BigInteger),
    # The author of the post. Null if it is unknown.
    nullable("owner_id", BigInteger),
    column("stands", Boolean),
    # Whether the repost stood before the last write, and whether it had ever stood before. RETURNING reports both.
    column("was", Boolean, server_default=text("false")),
    column("had", Boolean, server_default=text("false")),
    column("version", BigInteger),
    # Whether the repost was pushed to followers. If not, home timelines read it from the reposts of the user.
    column("pushed", Boolean, server_default=text("true")),
    # As the moment of a reaction.
    column("moment", BigInteger, Computed("((version >> 20) << 10) | least(version & 1048575, 1023)", persisted=True)),
    Index(
        "reposts_recent_idx",
        "user_id",
        text("moment DESC"),
        text("post_id DESC"),
        postgresql_where=text("stands"),
    ),
    Index(
        "reposts_reposters_idx",
        "post_id",
        text("moment DESC"),
        text("user_id DESC"),
        postgresql_where=text("stands"),
    ),
    Index("reposts_pulled_idx", "user_id", "moment", postgresql_where=text("stands AND NOT pushed")),
    shard="user_id",
)
"""The reposts of all users. A change with a newer version replaces the row; an older one changes nothing."""


def member_of(user_id: int, post_id: int) -> int:
    """Returns the number that stands for the repost of a post by a user as a member of a list."""
    return post_id << _IDS | user_id


def repost_of(member: int) -> tuple[int, int]:
    """Returns the user and the post of a member of a list of posts and reposts. The user is 0 if the member is a
    post.
    """
    post_id, user_id = divmod(member, 1 << _IDS)
    return (user_id, post_id) if post_id else (0, member)
