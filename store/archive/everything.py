"""The sources of an export of everything."""

from store.archive.pages import FEW, source
from store.content import comments, posts
from store.people import users

TABLES = (
    "users",
    "entities",
    "follows",
    "content_follows",
    "reactions",
    "reposts",
    "collections",
    "saves",
    "posts",
    "comment_contents",
    "blocks",
    "mutes",
)
"""The tables whose rows are exported."""
USERS = source("users", users.COLUMNS, key="user_id", where="true")
ENTITIES = source(
    "entities",
    "business_id, entity_id, key, owner_id, title, url, comments_closed, removed, custom, labels, moderator_labels, "
    "topics",
    key="business_id, entity_id",
    where="NOT erased",
)
FOLLOWS = source(
    "follows",
    "lo, hi, lo_follows, hi_follows, lo_version, hi_version, moment, lo_requests, hi_requests",
    key="lo, hi",
    where="(lo_follows OR hi_follows OR lo_requests OR hi_requests)",
)
CONTENT_FOLLOWS = source(
    "content_follows",
    "user_id, business_id, entity_id, name, version",
    key="user_id, business_id, entity_id",
    where="stands",
)
REACTIONS = source(
    "reactions",
    "user_id, business_id, entity_id, state, kinds, version",
    key="user_id, business_id, entity_id",
    where="state <> 0",
)
REPOSTS = source(
    "reposts",
    "user_id, post_id, post_id AS entity_id, version",
    key="user_id, post_id",
    where="stands",
)
COLLECTIONS = source(
    "collections", "user_id, collection_id, name, is_public", key="user_id, collection_id", where="NOT deleted"
)
IS_SAVED = """collection_id <> 0 AND NOT EXISTS (
    SELECT FROM collections c WHERE c.user_id = s.user_id AND c.collection_id = s.collection_id AND c.deleted
)"""
"""The condition for saves that were not removed, alone or with their collection."""
SAVES = source(
    "saves s",
    "user_id, business_id, entity_id, collection_id, version",
    key="user_id, business_id, entity_id",
    where=IS_SAVED,
)
POSTS = source("posts", posts.COLUMNS, key="post_id", where="true", size=FEW)
COMMENTS = source("comment_contents", f"{comments.COLUMNS}, deleted_as", key="comment_id", where="true", size=FEW)
BLOCKS = source("blocks", "user_id, blocked_id, version", key="user_id, blocked_id", where="stands")
MUTES = source("mutes", "user_id, muted_id, until_ms, version", key="user_id, muted_id", where="until_ms > :now")
