"""The rows of one account, for the deletion of the account: what the user still has, and the removal of rows.

Reading functions return a few rows that are still there. The caller undoes what they say and calls again, until nothing
is left. `remove` and `empty` remove what then remains: rows of ended reactions, saves and blocks, logs, and texts.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, text

from models.notifications import OWN_KINDS
from models.posts import OutboxState
from store.content import announcements
from store.people.identities import Identity
from store.postgres.client import Postgres, Transaction
from store.postgres.distributed import one_shard
from store.postgres.removal import removal, same

BATCH = 1000
SETS = {
    "react": "SELECT business_id, entity_id, state, owner_id FROM reactions WHERE user_id = :user AND state <> 0",
    "save": "SELECT business_id, entity_id, collection_id AS state FROM saves "
    "WHERE user_id = :user AND collection_id <> 0",
    "collection": "SELECT collection_id AS entity_id FROM collections WHERE user_id = :user AND NOT deleted",
    "follow": "SELECT followee_id AS entity_id FROM following WHERE user_id = :user "
    "UNION ALL SELECT followee_id FROM requested_follows WHERE user_id = :user",
    "follower": "SELECT follower_id AS entity_id FROM followers WHERE user_id = :user "
    "UNION ALL SELECT follower_id FROM follow_requests WHERE user_id = :user",
    "block": "SELECT blocked_id AS entity_id FROM blocks WHERE user_id = :user AND stands",
    "mute": "SELECT muted_id AS entity_id FROM mutes WHERE user_id = :user AND until_ms > 0",
    "thread": "SELECT business_id, entity_id FROM thread_mutes WHERE user_id = :user AND stands",
    "bell": "SELECT author_id AS entity_id FROM bells WHERE user_id = :user AND stands",
    "pin": "SELECT post_id AS entity_id FROM pinned_posts WHERE user_id = :user AND pinned",
    "post": f"SELECT post_id AS entity_id FROM outboxes WHERE author_id = :user AND state <> {OutboxState.DELETED:d}",  # noqa: S608
    "comment": "SELECT comment_id AS entity_id, subject_owner, replied_to FROM comment_contents "
    "WHERE author_id = :user AND NOT deleted",
}
_READ = {name: text(f"{sql} LIMIT :count") for name, sql in SETS.items()}
_KEYS = {
    "reactions": "user_id, business_id, entity_id",
    "saves": "user_id, business_id, entity_id",
    "collections": "user_id, collection_id",
    "pinned_posts": "user_id, post_id",
    "blocks": "user_id, blocked_id",
    "blocked_by": "user_id, blocker_id",
    "mutes": "user_id, muted_id",
    "bells": "user_id, author_id",
    "thread_mutes": "user_id, business_id, entity_id",
    "like_log": "user_id, version",
    "follow_log": "user_id, version",
    "notifications": "user_id, notification_id",
    "notification_actors": "user_id, notification_id, actor_id",
    "notification_heads": "user_id",
    "notification_preferences": "user_id",
    "profile_reviews": "user_id, field",
    "records": "actor_id, business_id, entity_id, kind, bucket",
    "exports": "user_id",
    "claims": "author_id, business_id, key",
    "traces": "author_id, business_id, entity_id",
    "operations": "actor_id, name",
    "fanouts": "author_id, post_id",
    "rings": "author_id, post_id",
}
"""The tables whose rows belong to one user, and their primary keys. The first column of a key is the user."""
TABLES = tuple(_KEYS)
_OTHERS = {"blocks": "blocked_id", "blocked_by": "blocker_id"}


def _old(table: str) -> str:
    """Returns SQL that selects the keys of up to BATCH rows of a user, in the order of the keys."""
    key = _KEYS[table]
    user = key.split(", ", maxsplit=1)[0]
    return f"SELECT {key} FROM {table} WHERE {user} = :user ORDER BY {key} LIMIT {BATCH}"  # noqa: S608 - constants


def _removal(table: str) -> str:
    """Returns the statement that removes up to BATCH rows of a user from a table, and selects the other user of each
    row, or null.
    """
    user, other = _KEYS[table].split(", ", maxsplit=1)[0], _OTHERS.get(table)
    returning = f"{f't.{other}' if other else 'CAST(NULL AS bigint)'} AS other"
    return removal(table, _KEYS[table], _old(table), returning, f"t.{user} = :user")


# Views, shares and other actions stay counted (store/old_rows.py).
_UNRECORD = text(f"""
    WITH old AS MATERIALIZED ({_old("records")}),
    gone AS (
        DELETE FROM records t USING old WHERE {same(_KEYS["records"])} AND t.actor_id = :user
        RETURNING t.business_id, t.kind, t.entity_id
    ), counted AS (
        INSERT INTO swept_records AS s (business_id, kind, entity_id, value)
        SELECT business_id, kind, entity_id, count(*) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (business_id, kind, entity_id) DO UPDATE SET value = s.value + excluded.value
    )
    SELECT CAST(NULL AS bigint) AS other FROM gone
""")  # noqa: S608 - constants
_REMOVE = {**{table: text(_removal(table)) for table in TABLES}, "records": _UNRECORD}
_LEFT = {
    table: text(f"SELECT count(*) AS left FROM {table} WHERE {key.split(', ')[0]} = :user")  # noqa: S608 - constants
    for table, key in _KEYS.items()
    if table != "blocked_by"
}
_READ_OTHERS = {
    table: text(f"""
        SELECT DISTINCT {other} AS other FROM (
            SELECT {_KEYS[table]}, {other} FROM {table} WHERE user_id = :user ORDER BY {_KEYS[table]} LIMIT {BATCH}
        ) AS next WHERE {other} IS NOT NULL
    """)  # noqa: S608 - constants
    for table, other in (("reactions", "owner_id"), ("follow_log", "followee_id"))
}
_MIRRORS = {
    "blocks": text("DELETE FROM blocked_by WHERE user_id = ANY(CAST(:others AS bigint[])) AND blocker_id = :user"),
    "blocked_by": text("DELETE FROM blocks WHERE user_id = ANY(CAST(:others AS bigint[])) AND blocked_id = :user"),
}
_POST_IDS = text("""
    SELECT post_id AS id FROM outboxes WHERE author_id = :user AND post_id > :after ORDER BY 1 LIMIT 1000
""")
_COMMENT_IDS = text("""
    SELECT comment_id AS id FROM comment_contents WHERE author_id = :user AND comment_id > :after ORDER BY 1 LIMIT 1000
""")
_ORIGIN = "ip = NULL, device = NULL, client = NULL"
_HAS_ORIGIN = "(ip IS NOT NULL OR device IS NOT NULL OR client IS NOT NULL)"
_TEXT = f"text = '', images = '[]', custom = NULL, reason = NULL, {_ORIGIN}, version = version + 1"
_HAS_TEXT = f"(text <> '' OR images <> '[]' OR custom IS NOT NULL OR reason IS NOT NULL OR {_HAS_ORIGIN})"
_ABOUT = "topics = '{}', about_business = NULL, about_id = NULL, announces = NULL"
_HAS_ABOUT = "topics <> '{}' OR about_id IS NOT NULL"


def _emptying(table: str, key: str, values: str, condition: str) -> str:
    """Returns the statement that sets `values` in those of a user's rows with these ids to which the condition
    applies.
    """
    return f"""
        UPDATE {table} SET {values}
        WHERE {key} = ANY(CAST(:ids AS bigint[])) AND author_id = :user AND {condition}
    """  # noqa: S608 - constants


_EMPTY = {
    ("posts", False): text(_emptying("posts", "post_id", _ORIGIN, _HAS_ORIGIN)),
    ("posts", True): text(
        _emptying("posts", "post_id", f"{_ABOUT}, {_TEXT}", f"deleted AND ({_HAS_ABOUT} OR {_HAS_TEXT})")
    ),
    ("comment_contents", False): text(_emptying("comment_contents", "comment_id", _ORIGIN, _HAS_ORIGIN)),
    ("comment_contents", True): text(_emptying("comment_contents", "comment_id", _TEXT, f"deleted AND {_HAS_TEXT}")),
}
"""The statements that empty rows, by table, and whether they also remove the texts of what is deleted."""
# Transactions that add notifications lock the heads of their users first, in this order.
_LOCK_HEADS = one_shard(
    "SELECT user_id FROM notification_heads WHERE user_id = ANY(CAST(:others AS bigint[])) ORDER BY user_id FOR UPDATE",
    table="notification_heads",
    column="user_id",
    parameter="others",
)
_UNNAME = text("""
    UPDATE notifications SET actors = array_remove(actors, :user), actor_count = greatest(actor_count - 1, 0)
    WHERE user_id = ANY(CAST(:others AS bigint[])) AND actors @> ARRAY[CAST(:user AS bigint)]
""")
_WITHOUT_ACTOR = text("""
    DELETE FROM notifications
    WHERE user_id = ANY(CAST(:others AS bigint[])) AND actor_count = 0 AND kind <> ALL(CAST(:own AS smallint[]))
""")
_UNCOUNT = text("""
    DELETE FROM notification_actors WHERE user_id = ANY(CAST(:others AS bigint[])) AND actor_id = :user
""")
_REPORTS = text("DELETE FROM reports WHERE reporter_id = :user AND status <> 0")
_REPORT_ORIGINS = text("UPDATE reports SET network = NULL WHERE reporter_id = :user AND network IS NOT NULL")
_EXPORTS = text("DELETE FROM exports WHERE user_id = :user")
_PREFERENCES = text("DELETE FROM notification_preferences WHERE user_id = :user")
_APPEALS = text("DELETE FROM appeals WHERE author_id = :user")
_CASES = text("DELETE FROM cases WHERE business_id = :business AND entity_id = :user")
_DISOWN = text(
    announcements.followed("""
        UPDATE entities SET owner_id = NULL, version = version + 1 WHERE owner_id = :user
        RETURNING business_id, entity_id, key, owner_id, version, removed
    """)
)
_IDENTITIES = text("DELETE FROM identities WHERE user_id = :user RETURNING issuer, subject")
_FREE = text("""
    UPDATE handles SET freed_at = statement_timestamp()
    WHERE handle = ANY(CAST(:handles AS text[])) AND user_id = :user AND freed_at IS NULL
""")
_GIVE_UP = text("""
    UPDATE handles SET user_id = 0 WHERE handle = ANY(CAST(:handles AS text[])) AND user_id = :user
""")
_FORMER = text("SELECT handle FROM handles WHERE user_id = :user AND freed_at IS NOT NULL")


async def read(postgres: Postgres, what: str, user_id: int, count: int) -> Sequence[Row[Any]]:
    """Reads up to `count` things of one kind that a user still has. `what` is `react`, `save`, `collection`, `follow`
    (followed users, and private users who were asked), `follower` (followers, and users who have asked), `block`,
    `mute`, `thread`, `bell`, `pin`, `post` or `comment`. A row has the column `entity_id` and, if objects of this
    kind can be in several businesses, `business_id`.
    """
    return await postgres.read(_READ[what], user=user_id, count=count)


async def remove(transaction: Transaction, table: str, user_id: int) -> tuple[int, set[int]]:
    """Removes up to BATCH rows of a user from one of TABLES; for blocks, also the copies that belong to the other
    users. Returns the number of rows, and the ids of the other users in them.
    """
    rows = await transaction.execute(_REMOVE[table], user=user_id)
    others = {row.other for row in rows if row.other}
    if others and table in _MIRRORS:
        await transaction.execute(_MIRRORS[table], user=user_id, others=sorted(others))
    return len(rows), others


async def left(postgres: Postgres, user_id: int) -> list[tuple[str, int]]:
    """Counts the rows of a user in TABLES, except blocks by others, which may stay. Returns the tables with rows, and
    the number of rows.
    """
    counts = [(table, (await postgres.read(statement, user=user_id))[0].left) for table, statement in _LEFT.items()]
    return [(table, count) for table, count in counts if count]


async def others(postgres: Postgres, table: str, user_id: int) -> set[int]:
    """Returns the ids of the users who may have notifications about those rows that `remove` removes next. Returns
    nobody for tables whose rows cause no notifications.
    """
    statement = _READ_OTHERS.get(table)
    return {row.other for row in await postgres.read(statement, user=user_id)} if statement is not None else set()


async def ids(postgres: Postgres, table: str, user_id: int, after: int) -> list[int]:
    """Returns the ids of up to 1000 posts (if `table` is `posts`) or comments of a user, in order, after the id
    `after`. Deleted ones are among them.
    """
    statement = _POST_IDS if table == "posts" else _COMMENT_IDS
    return [row.id for row in await postgres.read(statement, user=user_id, after=after)]


async def empty(transaction: Transaction, table: str, user_id: int, some: Sequence[int], *, texts: bool) -> int:
    """Removes addresses, devices and kinds of clients from these posts or comments of a user. With `texts`, also
    removes the texts and images of those that are deleted. Returns the number of changed rows.
    """
    return await transaction.changed(_EMPTY[table, texts], user=user_id, ids=list(some))


async def unname(transaction: Transaction, user_id: int, others: Sequence[int]) -> None:
    """Removes a user from the notifications of the users `others`, and those notifications that named nobody else."""
    await transaction.execute(_LOCK_HEADS, others=sorted(others))
    await transaction.execute(_UNNAME, user=user_id, others=list(others))
    await transaction.execute(_WITHOUT_ACTOR, others=list(others), own=[int(kind) for kind in OWN_KINDS])
    await transaction.execute(_UNCOUNT, user=user_id, others=list(others))


async def remove_about(transaction: Transaction, user_id: int, business_id: int) -> None:
    """Removes the decided reports that a user made, the network addresses of the open ones, the user's appeals, the
    case about the profile, and settings that were changed while the account was being deleted. `business_id` is the
    business of users.
    """
    await transaction.execute(_REPORTS, user=user_id)
    await transaction.execute(_REPORT_ORIGINS, user=user_id)
    await transaction.execute(_APPEALS, user=user_id)
    await transaction.execute(_CASES, user=user_id, business=business_id)
    await transaction.execute(_EXPORTS, user=user_id)
    await transaction.execute(_PREFERENCES, user=user_id)


async def disown(transaction: Transaction, user_id: int) -> Sequence[Row[Any]]:
    """Removes a user as the owner of entities. Returns the business, the id and the key of each entity."""
    return await transaction.execute(_DISOWN, user=user_id)


async def release(transaction: Transaction, user_id: int, handle: str) -> tuple[list[Identity], list[str]]:
    """Removes the identities of a user, and gives up the handle and the former handles, which stay reserved for as long
    as changed handles do. Returns the identities and the handles.
    """
    identities = [(row.issuer, row.subject) for row in await transaction.execute(_IDENTITIES, user=user_id)]
    former = await transaction.execute(_FORMER, user=user_id)
    handles = sorted({handle, *(row.handle for row in former)})
    await transaction.execute(_FREE, user=user_id, handles=handles)
    await transaction.execute(_GIVE_UP, user=user_id, handles=handles)
    return identities, handles
