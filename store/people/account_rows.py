"""The rows of one account, for the deletion of the account: what the user still has, and the removal of rows.

`page` reads a table in the order of the keys of its rows, and goes on after the last row of an earlier page. So a page
costs the same at the beginning and at the end of a large account. `remove` and `empty` remove what is left after
everything was undone: rows of ended reactions, saves and blocks, logs, and texts.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, text

from domain.moderation.reports import ReportStatus
from domain.versions import moment_at
from models.likes import STATE
from models.notifications import IS_REPEATED, OWN_KINDS
from models.posts import OutboxState
from store.content import announcements
from store.people.identities import Identity
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import one_shard

BATCH = 1000
_NEVER = "false"


class _Rows(NamedTuple):
    """How a table has the rows of an account. `user` is the column with the user. `key` has the other columns of the
    index in whose order the rows are read; empty if a user has one row. Rows to which the SQL condition `stands`
    applies must be undone before they are removed. `more` has further columns that callers need.

    No other index may begin with the user and have all these columns, or Postgres may read all rows and sort them.
    """

    user: str
    key: str
    stands: str = _NEVER
    more: str = ""


_ROWS = {
    "followers": _Rows("user_id", "follower_id", "true"),
    "follow_requests": _Rows("user_id", "follower_id", "true"),
    "following": _Rows("user_id", "followee_id", "true"),
    "requested_follows": _Rows("user_id", "followee_id", "true"),
    "pinned_posts": _Rows("user_id", "post_id", "pinned"),
    "outboxes": _Rows("author_id", "moment, post_id", f"state <> {OutboxState.DELETED:d}"),
    "comment_contents": _Rows("author_id", "comment_id", "NOT deleted", "subject_owner, replied_to"),
    "saves": _Rows("user_id", "business_id, entity_id", "collection_id <> 0", "collection_id AS state"),
    "reposts": _Rows("user_id", "post_id", "stands", "owner_id"),
    "collections": _Rows("user_id", "collection_id", "NOT deleted"),
    "reactions": _Rows("user_id", "business_id, entity_id", "state <> 0", f"{STATE} AS state, owner_id"),
    "blocks": _Rows("user_id", "blocked_id", "stands"),
    "mutes": _Rows("user_id", "muted_id", "until_ms > 0"),
    "thread_mutes": _Rows("user_id", "business_id, entity_id", "stands"),
    "bells": _Rows("user_id", "author_id", "stands"),
    "content_follows": _Rows("user_id", "business_id, entity_id", "stands", "name"),
    "preferences": _Rows("user_id", "preference", "stands"),
    "hidden_posts": _Rows("user_id", "post_id", "state <> 0"),
    "muted_words": _Rows("user_id", "", "words <> ''"),
    "blocked_by": _Rows("user_id", "blocker_id"),
    "like_log": _Rows("user_id", "version"),
    "follow_log": _Rows("user_id", "version", more="followee_id"),
    "notifications": _Rows("user_id", "notification_id"),
    "notification_actors": _Rows("user_id", "notification_id, actor_id"),
    "notification_heads": _Rows("user_id", ""),
    "notification_preferences": _Rows("user_id", ""),
    "saved_queues": _Rows("user_id", ""),
    "profile_reviews": _Rows("user_id", "field"),
    "collection_reviews": _Rows("user_id", "collection_id"),
    "records": _Rows("actor_id", "business_id, entity_id, kind, bucket"),
    "exports": _Rows("user_id", ""),
    "uploads": _Rows("user_id", "key"),
    "claims": _Rows("author_id", "business_id, key"),
    "edits": _Rows("author_id", "business_id, entity_id, version"),
    "traces": _Rows("author_id", "business_id, entity_id"),
    "operations": _Rows("actor_id", "name"),
    "fanouts": _Rows("author_id", "post_id"),
    "rings": _Rows("author_id", "post_id"),
}
UNDONE = tuple(table for table, rows in _ROWS.items() if rows.stands != _NEVER)
"""The tables with what a user has done, which is undone before rows are removed."""
EMPTIED = {"outboxes": ("posts", "post_id"), "comment_contents": ("comment_contents", "comment_id")}
"""The tables with the ids of the posts and comments of a user: the table with the texts, and the column with the id.
The rows of both tables stay.
"""
TABLES = tuple(table for table in _ROWS if table not in EMPTIED)
"""The tables in which no row of a deleted user stays, except `blocked_by` with ANONYMIZE."""


def _parameters(key: str, prefix: str) -> str:
    """Returns the names of the parameters that have a key, such as `:after_version`."""
    return ", ".join(f":{prefix}_{column}" for column in key.split(", "))


def _page(table: str, *, goes_on: bool) -> str:
    """Returns the statement that selects the next rows of a user; if `goes_on`, those after a key."""
    user, key, stands, more = _ROWS[table]
    selected = ", ".join(filter(None, (key, more, f"{stands} AS stands")))
    after = f"AND ({key}) > ({_parameters(key, 'after')})" if goes_on and key else ""
    order = ", ".join(filter(None, (user, key)))
    return f"SELECT {selected} FROM {table} WHERE {user} = :user {after} ORDER BY {order} LIMIT :count"  # noqa: S608


def _removal(table: str) -> str:
    """Returns the statement that removes the rows of a user from one key to another, without those that stand."""
    user, key, stands, _ = _ROWS[table]
    within = f"AND ({key}) >= ({_parameters(key, 'first')}) AND ({key}) <= ({_parameters(key, 'last')})" if key else ""
    return f"DELETE FROM {table} WHERE {user} = :user {within} AND NOT ({stands})"  # noqa: S608 - constants


# Views, shares and other actions stay counted (store/old_rows.py).
_UNRECORD = text(f"""
    WITH gone AS ({_removal("records")} RETURNING business_id, kind, entity_id), counted AS (
        INSERT INTO swept_records AS s (business_id, kind, entity_id, value)
        SELECT business_id, kind, entity_id, count(*) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (business_id, kind, entity_id) DO UPDATE SET value = s.value + excluded.value
    )
    SELECT count(*) FROM gone
""")  # noqa: S608 - constants
_FIRST_PAGES = {table: text(_page(table, goes_on=False)) for table in _ROWS}
_PAGES = {table: text(_page(table, goes_on=True)) for table in _ROWS}
_REMOVE = {**{table: text(_removal(table)) for table in TABLES}, "records": _UNRECORD}
_LEFT = {
    table: text(f"SELECT count(*) AS left FROM {table} WHERE {_ROWS[table].user} = :user")  # noqa: S608 - constants
    for table in TABLES
    if table != "blocked_by"
}
_MIRRORS = {
    "blocks": (
        "blocked_id",
        text("DELETE FROM blocked_by WHERE user_id = ANY(CAST(:others AS bigint[])) AND blocker_id = :user"),
    ),
    "blocked_by": (
        "blocker_id",
        text("DELETE FROM blocks WHERE user_id = ANY(CAST(:others AS bigint[])) AND blocked_id = :user"),
    ),
}
"""The tables whose rows also belong to another user: the column with this user, and the statement that removes the rows
of these users.
"""
_ORIGIN = "ip = NULL, device = NULL, client = NULL"
_HAS_ORIGIN = "(ip IS NOT NULL OR device IS NOT NULL OR client IS NOT NULL)"
_TEXT = "text = '', images = '[]', custom = NULL, mentioned = NULL, reason = NULL, content_warning = NULL, "
_TEXT += f"{_ORIGIN}, version = version + 1"
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
# A notification names only its newest actors. One of a repeated kind also has a row for each actor.
_UNNAME = text(f"""
    UPDATE notifications n SET actors = array_remove(actors, :user), actor_count = greatest(actor_count - 1, 0)
    WHERE user_id = ANY(CAST(:others AS bigint[])) AND (
        actors @> ARRAY[CAST(:user AS bigint)]
        OR {IS_REPEATED} AND EXISTS (
            SELECT FROM notification_actors a
            WHERE a.user_id = n.user_id AND a.notification_id = n.notification_id AND a.actor_id = :user
        )
    )
""")  # noqa: S608 - constants
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
_SAVED_QUEUES = text("DELETE FROM saved_queues WHERE user_id = :user")
_APPEALS = text("DELETE FROM appeals WHERE author_id = :user")
_STATEMENTS = text("UPDATE statements SET appeal_text = '' WHERE user_id = :user AND appeal_text <> ''")
_NOTICES = text(f"""
    UPDATE notices SET explanation = '', decided = coalesce(decided, :moment),
                       status = CASE WHEN status = 0 THEN {ReportStatus.MOOT:d} ELSE status END
    WHERE business_id = :business AND entity_id = :user
""")  # noqa: S608 - a constant
_CASES = text("DELETE FROM cases WHERE business_id = :business AND entity_id = :user")
_OWNED = text(f"SELECT business_id, entity_id FROM entities WHERE owner_id = :user LIMIT {BATCH}")  # noqa: S608
_DISOWN = text(
    announcements.followed("""
        UPDATE entities SET owner_id = NULL, version = version + 1
        FROM unnest(CAST(:businesses AS smallint[]), CAST(:ids AS bigint[])) AS own(business, id)
        WHERE (business_id, entity_id) = (own.business, own.id) AND owner_id = :user
        RETURNING business_id, entity_id, key, owner_id, version, removed
    """)
)
_TERMS = text("DELETE FROM user_terms WHERE user_id = :user")
_IDENTITIES = text("DELETE FROM identities WHERE user_id = :user RETURNING issuer, subject")
_FREE = text("""
    UPDATE handles SET freed_at = statement_timestamp()
    WHERE handle = ANY(CAST(:handles AS text[])) AND user_id = :user AND freed_at IS NULL
""")
_GIVE_UP = text("""
    UPDATE handles SET user_id = 0 WHERE handle = ANY(CAST(:handles AS text[])) AND user_id = :user
""")
_FORMER = text("SELECT handle FROM handles WHERE user_id = :user AND freed_at IS NOT NULL")


class Page(NamedTuple):
    """Rows of a user in one of the tables, in the order of their keys. A row has the columns of its key, and `stands`:
    whether it says something that must be undone. `is_full` says whether more rows may follow.
    """

    table: str
    rows: Sequence[Row[Any]]
    is_full: bool

    @property
    def standing(self) -> list[Row[Any]]:
        """Returns the rows with something to undo."""
        return [row for row in self.rows if row.stands]

    def others(self, *names: str) -> set[int]:
        """Returns the ids of users in the columns `names`."""
        return {id_ for row in self.rows for name in names if (id_ := getattr(row, name))}

    def key(self, at: int, prefix: str) -> dict[str, Any]:
        """Returns the parameters with the key of the row at the index `at`. Their names begin with `prefix`."""
        row, key = self.rows[at], _ROWS[self.table].key
        return {f"{prefix}_{column}": getattr(row, column) for column in key.split(", ")} if key else {}


async def page(postgres: Postgres, table: str, user_id: int, count: int, after: Page | None = None) -> Page:
    """Reads up to `count` rows of a user: the first ones, or those after the full page `after`. `table` is one of
    UNDONE, TABLES or EMPTIED.
    """
    if after is None:
        rows = await postgres.read(_FIRST_PAGES[table], user=user_id, count=count)
    else:
        rows = await postgres.read(_PAGES[table], user=user_id, count=count, **after.key(-1, "after"))
    return Page(table, rows, len(rows) == count)


async def remove(transaction: Transaction, user_id: int, page: Page) -> None:
    """Removes the rows of a page, which has rows, from one of TABLES, except those that stand. For blocks, also removes
    the copies that belong to the other users.
    """
    await transaction.execute(_REMOVE[page.table], user=user_id, **page.key(0, "first"), **page.key(-1, "last"))
    if page.table in _MIRRORS:
        column, statement = _MIRRORS[page.table]
        others = sorted(getattr(row, column) for row in page.rows if not row.stands)
        await transaction.execute(statement, user=user_id, others=others)


async def left(postgres: Postgres, user_id: int) -> list[tuple[str, int]]:
    """Counts the rows of a user in TABLES, except blocks by others, which may stay. Returns the tables with rows, and
    the number of rows.
    """
    counts = [(table, (await postgres.read(statement, user=user_id))[0].left) for table, statement in _LEFT.items()]
    return [(table, count) for table, count in counts if count]


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


async def remove_about(transaction: Transaction, user_id: int, business_id: int, now_ms: int) -> None:
    """Removes the decided reports that a user made, the network addresses of the open ones, the user's appeals, the
    texts of appeals in the statements for the user, the case about the profile, the explanations of notices about the
    user, the terms by which searches find the user, and settings that were changed while the account was being deleted.
    Closes open notices about the user. `business_id` is the business of users, and `now_ms` the current time in
    milliseconds since the Unix epoch.
    """
    await transaction.execute(_REPORTS, user=user_id)
    await transaction.execute(_REPORT_ORIGINS, user=user_id)
    await transaction.execute(_APPEALS, user=user_id)
    await transaction.execute(_STATEMENTS, user=user_id)
    await transaction.execute(_CASES, user=user_id, business=business_id)
    await transaction.execute(_NOTICES, user=user_id, business=business_id, moment=moment_at(now_ms))
    await transaction.execute(_EXPORTS, user=user_id)
    await transaction.execute(_PREFERENCES, user=user_id)
    await transaction.execute(_SAVED_QUEUES, user=user_id)
    await transaction.execute(_TERMS, user=user_id)


async def disown(transaction: Transaction, user_id: int) -> Sequence[Row[Any]]:
    """Removes a user as the owner of up to BATCH entities. Returns the business, the id and the key of each entity."""
    owned = await transaction.execute(_OWNED, user=user_id)
    return await transaction.execute(_DISOWN, user=user_id, **columns(owned, "businesses", "ids")) if owned else ()


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
