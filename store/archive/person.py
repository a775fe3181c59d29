"""The sources of an export of one person, and the rows of which there are few. Each statement names the user."""

from collections.abc import Sequence
from functools import partial

from sqlalchemy import text

from settings import COLLECTIONS as COLLECTION_BUSINESS
from settings import POSTS
from store.archive import pages
from store.archive.everything import IS_SAVED
from store.content import comments, posts
from store.people.identities import Identity
from store.postgres.client import Postgres, Rows

_OWN = "user_id = :user"
_source = partial(pages.source, size=pages.FEW)
"""Returns a source with small pages, because API processes answer other requests between two pages."""
REACTIONS = _source(
    "reactions",
    "user_id, business_id, entity_id, state, kinds, version",
    key="business_id, entity_id",
    where=f"{_OWN} AND state <> 0",
)
REPOSTS = _source(
    "reposts",
    f"user_id, post_id, {POSTS} AS business_id, post_id AS entity_id, version",
    key="post_id",
    where=f"{_OWN} AND stands",
)
COLLECTIONS = _source(
    "collections", "user_id, collection_id, name, is_public", key="collection_id", where=f"{_OWN} AND NOT deleted"
)
SAVES = _source(
    "saves s",
    "user_id, business_id, entity_id, collection_id, version",
    key="business_id, entity_id",
    where=f"{_OWN} AND {IS_SAVED}",
)
FOLLOWING = _source("following", "followee_id, moment", key="followee_id", where=_OWN)
REQUESTED = _source("requested_follows", "followee_id, moment", key="followee_id", where=_OWN)
CONTENT_FOLLOWS = _source(
    "content_follows",
    "user_id, business_id, entity_id, name, version",
    key="business_id, entity_id",
    where=f"{_OWN} AND stands",
)
BLOCKS = _source("blocks", "blocked_id, version", key="blocked_id", where=f"{_OWN} AND stands")
MUTES = _source("mutes", "muted_id, until_ms, version", key="muted_id", where=f"{_OWN} AND until_ms > :now")
BELLS = _source("bells", "author_id, version", key="author_id", where=f"{_OWN} AND stands")
MUTED_THREADS = _source(
    "thread_mutes",
    "business_id, entity_id, version",
    key="business_id, entity_id",
    where=f"{_OWN} AND stands",
)
HIDDEN_POSTS = _source(
    "hidden_posts",
    f"post_id, {POSTS} AS business_id, post_id AS entity_id, state, version",
    key="post_id",
    where=f"{_OWN} AND state > 0",
)
OUTBOX = _source("outboxes", "post_id", key="post_id", where="author_id = :user")
"""The ids of a user's posts. The table `posts` has no index of authors."""
_POSTS = text(f"""
    SELECT {posts.COLUMNS}, host(ip) AS ip, device, client
    FROM posts WHERE post_id = ANY(CAST(:ids AS bigint[])) ORDER BY post_id
""")  # noqa: S608 - constants
COMMENTS = _source(
    "comment_contents",
    f"{comments.COLUMNS}, deleted_as, host(ip) AS ip, device, client",
    key="comment_id",
    where="author_id = :user",
)
EDITS = _source(
    "edits",
    "business_id, entity_id, version, text, images::text AS images",
    key="business_id, entity_id, version",
    where="author_id = :user",
)
NOTIFICATIONS = _source(
    "notifications",
    "notification_id, kind, business_id, entity_id, created_ms, updated_ms, moment, actor_count, message, read_moment",
    key="notification_id",
    where=_OWN,
)
REPORTS = _source(
    "reports",
    "business_id, entity_id, author_id, version, reason, note, network, status",
    key="business_id, entity_id",
    where="reporter_id = :user",
)
APPEALS = _source(
    "appeals",
    "business_id, entity_id, version, text, status",
    key="business_id, entity_id",
    where="author_id = :user",
)
DECISIONS = _source(
    "moderation_log",
    "moment, log_id, action, role, business_id, entity_id, before, after, reason",
    key="moment, log_id",
    where=f"{_OWN} AND after IS NOT NULL AND action = ANY(CAST(:actions AS smallint[]))",
)
STATEMENTS = _source(
    "statements",
    "moment, statement_id, restriction, business_id, entity_id, ground, facts, found_by, automated, until_ms, "
    "ended_ms, appeal_text, appeal_status",
    key="moment, statement_id",
    where=_OWN,
)
LIKE_LOG = _source(
    "like_log",
    "version, verb, business_id, entity_id, source, host(ip) AS ip, device, client",
    key="version",
    where=_OWN,
)
FOLLOW_LOG = _source(
    "follow_log", "version, followee_id, follows, host(ip) AS ip, device, client", key="version", where=_OWN
)
RECORDS = _source(
    "records",
    "business_id, entity_id, kind, bucket, version",
    key="business_id, entity_id, kind, bucket",
    where="actor_id = :user",
)

_PREFERENCES = text("SELECT preference FROM preferences WHERE user_id = :user AND stands")
_MUTED_WORDS = text("SELECT words FROM muted_words WHERE user_id = :user")
_IDENTITIES = text("SELECT issuer, subject FROM identities WHERE user_id = :user ORDER BY issuer, subject")
_READ_MARK = text("SELECT read_moment FROM notification_heads WHERE user_id = :user")
_REPORTED_COLLECTIONS = text(f"""
    SELECT entity_id, author_id FROM reports
    WHERE reporter_id = :user AND business_id = {COLLECTION_BUSINESS} AND entity_id = ANY(CAST(:ids AS bigint[]))
      AND author_id IS NOT NULL
""")  # noqa: S608 - a constant
_BLOCKERS = text("""
    SELECT blocker_id FROM blocked_by
    WHERE user_id = :user AND stands AND blocker_id = ANY(CAST(:others AS bigint[]))
""")


async def identities(postgres: Postgres, user_id: int) -> list[Identity]:
    """Returns the identities (issuer and subject) with which a user signs in, in order."""
    return [(row.issuer, row.subject) for row in await postgres.read(_IDENTITIES, user=user_id)]


async def preferences(postgres: Postgres, user_id: int) -> set[int]:
    """Returns the numbers of the preferences that a user has switched on."""
    return {row.preference for row in await postgres.read(_PREFERENCES, user=user_id)}


async def muted_words(postgres: Postgres, user_id: int) -> str:
    """Returns the words that a user mutes, as one text (domain/muted_words.py)."""
    rows = await postgres.read(_MUTED_WORDS, user=user_id)
    return str(rows[0].words) if rows else ""


async def posts_by_id(postgres: Postgres, ids: Sequence[int]) -> Rows:
    """Returns posts with these ids in the order of their ids, each with its client."""
    return await postgres.read(_POSTS, ids=list(ids))


async def owners_of_reported(postgres: Postgres, user_id: int, ids: Sequence[int]) -> dict[int, int]:
    """Returns the owners of those of these collections that a user has reported, by the id of the collection."""
    rows = await postgres.read(_REPORTED_COLLECTIONS, user=user_id, ids=list(ids))
    return {row.entity_id: row.author_id for row in rows}


async def read_mark(postgres: Postgres, user_id: int) -> int:
    """Returns the moment up to which a user's notifications are read."""
    rows = await postgres.read(_READ_MARK, user=user_id)
    return int(rows[0].read_moment) if rows else 0


async def blockers_among(postgres: Postgres, user_id: int, others: Sequence[int]) -> set[int]:
    """Returns those of `others` who block a user."""
    return {row.blocker_id for row in await postgres.read(_BLOCKERS, user=user_id, others=list(others))}
