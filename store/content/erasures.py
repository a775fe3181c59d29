"""Erasures of entities: which are not finished, what is still stored below an entity, and the removal of these rows.

Below an entity are its comments, what users did with the entity and with the comments (reactions, saves, muted threads,
views, reports), and what Plaudit derived from that (counters, notifications, cases). Reading functions return a few
rows that are still there. The caller undoes what they say and calls again, until nothing is left. `remove` and
`remove_comments` then remove the rows.
"""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, text

from models.comments import CommentState
from models.counters import EntityRef
from models.likes import STATE
from models.notifications import OF_OTHERS
from settings import COMMENTS
from store import keys
from store.postgres.client import Postgres, Reader, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import some_shards
from store.postgres.removal import removal

BATCH = 1000
_COLUMNS = "r.business_id, r.entity_id, e.key, r.since_ms, r.reached, r.removed, r.held, r.finished_ms"
_KNOWN = f"SELECT {_COLUMNS} FROM erasures r JOIN entities e USING (business_id, entity_id)"  # noqa: S608 - constants
_UNFINISHED = text(f"{_KNOWN} WHERE r.finished_ms IS NULL AND r.held = :held ORDER BY random() LIMIT :count")
_ALL = text(f"{_KNOWN} ORDER BY r.since_ms, r.business_id, r.entity_id")
_OF_KEY = text(f"{_KNOWN} WHERE e.business_id = :business AND e.key = :key AND e.erased ORDER BY r.since_ms")
_AMONG = some_shards(
    """
    SELECT r.business_id, r.entity_id
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS wanted(business_id, entity_id)
    JOIN erasures r USING (business_id, entity_id) WHERE {in_shard}
    """,
    column="r.entity_id",
    parameter="entities",
)
_COUNTS = text("""
    SELECT count(*) FILTER (WHERE NOT held) AS running, count(*) FILTER (WHERE held) AS held
    FROM erasures WHERE finished_ms IS NULL
""")
_BEGIN = text("""
    INSERT INTO erasures (business_id, entity_id, since_ms)
    SELECT business_id, entity_id, :now_ms
    FROM unnest(CAST(:businesses AS smallint[]), CAST(:entities AS bigint[])) AS e(business_id, entity_id)
    ON CONFLICT (business_id, entity_id) DO NOTHING
""")
_ONE = "WHERE business_id = :business AND entity_id = :entity"
_ADVANCE = text(f"""
    UPDATE erasures SET since_ms = greatest(since_ms, :since_ms), reached = greatest(reached, :reached),
        removed = removed + :removed
    {_ONE}
""")  # noqa: S608 - constants
_HOLD = text(f"UPDATE erasures SET held = :held {_ONE} AND held <> :held")  # noqa: S608 - constants
_FINISH = text(f"UPDATE erasures SET finished_ms = :now_ms {_ONE} AND finished_ms IS NULL")  # noqa: S608 - constants

_HELD_USERS = text("SELECT user_id FROM legal_holds ORDER BY user_id")
_IN_HELD = "= ANY(CAST(:held AS bigint[]))"
_HELD_ROWS = {
    "reactions": f"user_id {_IN_HELD} AND state <> 0",
    "saves": f"user_id {_IN_HELD} AND collection_id <> 0",
    "reports": f"reporter_id {_IN_HELD}",
}
"""The tables with what users under a legal hold did with an entity or a comment, and the condition of these rows."""
_OF_SUBJECT = "subject_business = :business AND subject_id = :entity"


def _on_comments(table: str, condition: str) -> str:
    """Returns a query of the comments on the entity about which a table has rows to which a condition applies."""
    return f"""
        SELECT 1 FROM comment_contents WHERE {_OF_SUBJECT} AND comment_id IN (
            SELECT entity_id FROM {table} WHERE {condition} AND business_id = {COMMENTS} OFFSET 0
        )
    """  # noqa: S608 - constants


_IS_HELD = text(f"""
    SELECT 1 FROM entities {_ONE} AND owner_id {_IN_HELD}
    UNION ALL SELECT 1 FROM comment_contents WHERE {_OF_SUBJECT} AND author_id {_IN_HELD}
    {"".join(f" UNION ALL SELECT 1 FROM {table} {_ONE} AND {rows}" for table, rows in _HELD_ROWS.items())}
    {"".join(f" UNION ALL {_on_comments(table, rows)}" for table, rows in _HELD_ROWS.items())}
    LIMIT 1
""")  # noqa: S608 - constants

_OBJECTS = "business_id = :business AND entity_id = ANY(CAST(:ids AS bigint[]))"
_REACTIONS = f"""
    SELECT user_id, business_id, entity_id, {STATE} AS state, owner_id FROM reactions WHERE {_OBJECTS}
"""  # noqa: S608 - constants
SETS = {
    # Each state has an index of its own; that of the third has all reactions with kinds.
    "react": " UNION ALL ".join(
        f"({_REACTIONS} AND {stands} LIMIT :count)"
        for stands in ("state = 1", "state = 2", "state = 3 AND kinds IS NOT NULL")
    ),
    "save": f"""
        SELECT user_id, business_id, entity_id, collection_id AS state FROM saves
        WHERE {_OBJECTS} AND collection_id <> 0
    """,  # noqa: S608 - constants
    "thread": f"SELECT user_id, business_id, entity_id FROM thread_mutes WHERE {_OBJECTS} AND stands",  # noqa: S608
    "content_follow": f"""
        SELECT user_id, business_id, entity_id, name FROM content_follows WHERE {_OBJECTS} AND stands
    """,  # noqa: S608 - constants
}
_READ = {what: text(f"{sql} LIMIT :count") for what, sql in SETS.items()}


# Replies come first, in the reverse order of an index. When they are deleted, no root comment is a tombstone.
_PUBLIC = text(f"""
    SELECT k.author_id AS user_id, comment_id FROM (
        SELECT comment_id FROM comments WHERE {_OF_SUBJECT} AND state = {CommentState.VISIBLE:d}
        ORDER BY root_id DESC, moment, comment_id LIMIT :count
    ) AS c JOIN comment_contents k USING (comment_id) WHERE NOT k.deleted
""")  # noqa: S608 - constants
_NOT_DELETED = text("""
    SELECT author_id AS user_id, comment_id FROM comment_contents
    WHERE comment_id = ANY(CAST(:ids AS bigint[])) AND NOT deleted
""")
_COMMENTS = text(f"""
    SELECT comment_id, author_id FROM comments WHERE {_OF_SUBJECT} AND comment_id > :after
    ORDER BY comment_id LIMIT :count
""")  # noqa: S608 - constants

_KIND = "kind = ANY(CAST(:kinds AS smallint[]))"
_TABLES = {
    "reactions": ("user_id, business_id, entity_id", "state = 0"),
    "saves": ("user_id, business_id, entity_id", "collection_id = 0"),
    "thread_mutes": ("user_id, business_id, entity_id", "NOT stands"),
    "content_follows": ("user_id, business_id, entity_id", "NOT stands"),
    "records": ("actor_id, business_id, entity_id, kind, bucket", _KIND),
    "swept_records": ("business_id, kind, entity_id", _KIND),
    "daily_likes": ("business_id, day, entity_id", "day = ANY(CAST(:days AS integer[]))"),
    "daily_reactions": ("business_id, day, kind, entity_id", "day = ANY(CAST(:days AS integer[]))"),
    "notifications": ("user_id, notification_id", OF_OTHERS),
    "reports": ("business_id, entity_id, reporter_id", "true"),
    "appeals": ("business_id, entity_id", "true"),
    "edits": ("business_id, entity_id, version", "true"),
    "notices": ("business_id, entity_id, notice_id", "true"),
    "cases": ("business_id, entity_id", "true"),
    "reviews": ("business_id, entity_id", "true"),
    "comment_subjects": ("business_id, entity_id", "true"),
    "search_documents": ("business_id, entity_id", "true"),
    "search_due": ("business_id, entity_id, version", "true"),
    "counters": ("business_id, entity_id, kind", "true"),
}
"""The tables with rows about objects: the primary key, and a further condition, from which Postgres finds an index."""
TABLES = tuple(_TABLES)


def _removal(table: str) -> str:
    """Returns the statement that removes up to BATCH rows about objects from a table, and selects their keys."""
    key, also = _TABLES[table]
    old = f"SELECT {key} FROM {table} WHERE {_OBJECTS} AND {also} LIMIT {BATCH}"  # noqa: S608 - constants
    return removal(table, key, old, f"t.{key.replace(', ', ', t.')}")


_REMOVE = {table: text(_removal(table)) for table in TABLES}
_LEFT = {
    table: text(f"SELECT count(*) AS left FROM {table} WHERE {_OBJECTS} AND {also}")  # noqa: S608 - constants
    for table, (_, also) in _TABLES.items()
}
_COMMENTS_LEFT = text(f"SELECT count(*) AS left FROM comments WHERE {_OF_SUBJECT}")  # noqa: S608 - constants
_KINDS = text(f"SELECT DISTINCT kind FROM counters WHERE {_OBJECTS}")  # noqa: S608 - constants
_ACTORS = text("""
    DELETE FROM notification_actors a
    USING unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[])) AS gone(user_id, notification_id)
    WHERE (a.user_id, a.notification_id) = (gone.user_id, gone.notification_id)
""")
_CLAIMS = text(f"""
    DELETE FROM claims WHERE business_id = {COMMENTS} AND entity_id = ANY(CAST(:ids AS bigint[]))
""")  # noqa: S608 - constants
_TRACES = text(f"""
    DELETE FROM traces t USING unnest(CAST(:authors AS bigint[]), CAST(:ids AS bigint[])) AS gone(author_id, comment_id)
    WHERE t.author_id = gone.author_id AND t.business_id = {COMMENTS} AND t.entity_id = gone.comment_id
""")  # noqa: S608 - constants
_CONTENTS = text("DELETE FROM comment_contents WHERE comment_id = ANY(CAST(:ids AS bigint[]))")
_INDEX = text(f"DELETE FROM comments WHERE {_OF_SUBJECT} AND comment_id = ANY(CAST(:ids AS bigint[]))")  # noqa: S608


class Erasure(NamedTuple):
    """The erasure of one entity. Times are in milliseconds since the Unix epoch, and None if they are not reached."""

    business_id: int
    entity_id: int
    key: str
    """The key of the entity in the owner's system."""
    since_ms: int
    """When the erasure was requested or, if later, when the last change that undoes something was appended."""
    reached: int
    """Nothing has to be undone about the comments up to this id."""
    removed: int
    """The number of changes and rows that were removed so far."""
    held: bool
    """Whether a legal hold stops the erasure."""
    finished_ms: int | None

    @property
    def ref(self) -> EntityRef:
        """Returns the reference of the entity."""
        return EntityRef(self.business_id, self.entity_id)


class Waiting(NamedTuple):
    """The numbers of erasures that are not finished: those on which workers work, and those that a legal hold stops."""

    running: int
    held: int


class Actions(NamedTuple):
    """What to search for in the tables of counted actions: the numbers of counters, and the days of the likes per day,
    in days since the Unix epoch.
    """

    kinds: list[int]
    days: list[int]


async def begin(transaction: Transaction, refs: Sequence[EntityRef], now_ms: int) -> None:
    """Stores that these entities are to be erased."""
    await transaction.execute(_BEGIN, now_ms=now_ms, **columns(sorted(refs), "businesses", "entities"))


async def unfinished(postgres: Postgres, count: int, *, held: bool) -> list[Erasure]:
    """Returns up to `count` erasures that are not finished: those that a legal hold stops if `held` is true, or else
    the others. They are chosen at random, so that no entity keeps others waiting.
    """
    return [Erasure(*row) for row in await postgres.read(_UNFINISHED, count=count, held=held)]


async def all_known(postgres: Postgres) -> list[Erasure]:
    """Returns all erasures, also finished ones, in the order of their times."""
    return [Erasure(*row) for row in await postgres.read(_ALL)]


async def of_key(postgres: Postgres, business_id: int, key: str) -> list[Erasure]:
    """Returns the erasures of all entities that had a key, in the order of their times."""
    return [Erasure(*row) for row in await postgres.read(_OF_KEY, business=business_id, key=key)]


async def among(source: Reader, refs: Collection[EntityRef]) -> set[EntityRef]:
    """Returns those of these entities that are being erased or were erased."""
    if not refs:
        return set()
    rows = await source.read(_AMONG, **columns(sorted(refs), "businesses", "entities"))
    return {EntityRef(*row) for row in rows}


async def waiting(postgres: Postgres) -> Waiting:
    """Counts the erasures that are not finished."""
    return Waiting(*(await postgres.read(_COUNTS))[0])


async def is_held(postgres: Postgres, ref: EntityRef) -> bool:
    """Tells whether a user under a legal hold owns an entity, has commented on it, or reacts to, has saved or has
    reported it or a comment on it. Without legal holds, this is one read of a small table. With them, Postgres also
    searches the comments on the entity and what the held users did.
    """
    held = [row.user_id for row in await postgres.read(_HELD_USERS)]
    return bool(held) and bool(await postgres.read(_IS_HELD, **_one(ref), held=held))


async def advance(
    transaction: Transaction, ref: EntityRef, *, removed: int = 0, since_ms: int = 0, reached: int = 0
) -> None:
    """Stores how far an erasure is: adds to the number of removed changes and rows, and raises the other values."""
    await transaction.execute(_ADVANCE, **_one(ref), removed=removed, since_ms=since_ms, reached=reached)


async def hold(transaction: Transaction, ref: EntityRef, *, held: bool) -> None:
    """Stores whether a legal hold stops an erasure."""
    await transaction.execute(_HOLD, **_one(ref), held=held)


async def finish(transaction: Transaction, ref: EntityRef, now_ms: int) -> bool:
    """Stores that nothing is left below an entity. Returns False if this was stored before."""
    return bool(await transaction.changed(_FINISH, **_one(ref), now_ms=now_ms))


async def read(postgres: Postgres, what: str, business_id: int, ids: Sequence[int], count: int) -> Sequence[Row[Any]]:
    """Reads up to `count` things of one kind that users have about these objects of a business. `what` is `react`,
    `save` or `thread` (a muted thread). A row has the columns `user_id`, `business_id` and `entity_id`.
    """
    return await postgres.read(_READ[what], business=business_id, ids=list(ids), count=count)


async def public_comments(postgres: Postgres, ref: EntityRef, count: int) -> Sequence[Row[Any]]:
    """Reads up to `count` public comments on an entity that are not deleted, replies first. A row has the author as
    `user_id`, and the comment as `comment_id`.
    """
    return await postgres.read(_PUBLIC, **_one(ref), count=count)


async def not_deleted(postgres: Postgres, ids: Sequence[int]) -> Sequence[Row[Any]]:
    """Reads those of these comments that are not deleted, also hidden ones. A row has the same columns as one of
    `public_comments`.
    """
    return await postgres.read(_NOT_DELETED, ids=list(ids))


async def comments(postgres: Postgres, ref: EntityRef, after: int, count: int) -> Sequence[Row[Any]]:
    """Reads up to `count` comments on an entity, also deleted ones, in the order of their ids, after the id `after`. A
    row has the columns `comment_id` and `author_id`.
    """
    return await postgres.read(_COMMENTS, **_one(ref), after=after, count=count)


async def kinds_of(postgres: Postgres, business_id: int, ids: Sequence[int]) -> set[int]:
    """Returns the numbers of the counters that these objects of a business have."""
    return {row.kind for row in await postgres.read(_KINDS, business=business_id, ids=list(ids))}


async def remove(
    transaction: Transaction, table: str, business_id: int, ids: Sequence[int], actions: Actions
) -> tuple[int, set[int]]:
    """Removes up to BATCH rows about these objects of a business from one of TABLES. Returns the number of rows, and
    the users who had notifications.
    """
    rows = await transaction.execute(_REMOVE[table], business=business_id, ids=list(ids), **actions._asdict())
    if table != "notifications" or not rows:
        return len(rows), set()
    await transaction.execute(_ACTORS, **columns(rows, "users", "ids"))
    return len(rows), {row.user_id for row in rows}


async def remove_comments(transaction: Transaction, ref: EntityRef, rows: Sequence[Row[Any]]) -> None:
    """Removes comments on an entity. A row has the columns `comment_id` and `author_id`."""
    ids = columns(rows, "ids", "authors")
    await transaction.execute(_CLAIMS, ids=ids["ids"])
    await transaction.execute(_TRACES, **ids)
    await transaction.execute(_CONTENTS, ids=ids["ids"])
    await transaction.execute(_INDEX, **_one(ref), ids=ids["ids"])


async def left(postgres: Postgres, ref: EntityRef, actions: Actions) -> list[tuple[str, int]]:
    """Counts the rows that are left below an entity. Returns the tables with rows, and the number of rows. Of
    reactions, saves and muted threads that are not undone, counts one.
    """
    business_id, ids = ref.business_id, [ref.entity_id]
    counts = [(what, len(await read(postgres, what, business_id, ids, 1))) for what in SETS]
    for table, statement in _LEFT.items():
        rows = await postgres.read(statement, business=business_id, ids=ids, **actions._asdict())
        counts.append((table, rows[0].left))
    counts.append(("comments", (await postgres.read(_COMMENTS_LEFT, **_one(ref)))[0].left))
    return [(name, count) for name, count in counts if count]


def cached(ref: EntityRef, key: str) -> set[str]:
    """Returns the cache keys of an entity, and of what is cached about it. `key` is its key in the owner's system."""
    lists = keys.comments, keys.oldest_comments, keys.hot_comments, keys.likers, keys.about
    subject = ref.business_id, key
    named = {keys.entity(*subject), keys.comment_settings(*subject), *keys.all_reactors(ref)}
    return named | {name(ref) for name in (*lists, keys.entity_by_id, keys.counts)}


def cached_of_comments(ids: Sequence[int]) -> set[str]:
    """Returns the cache keys of comments, and of what is cached about them."""
    refs = [EntityRef(COMMENTS, id_) for id_ in ids]
    by_ref = {name(ref) for ref in refs for name in (keys.likers, keys.counts)}
    by_ref |= {key for ref in refs for key in keys.all_reactors(ref)}
    return by_ref | {name(id_) for id_ in ids for name in (keys.comment, keys.replies)}


def _one(ref: EntityRef) -> dict[str, int]:
    """Returns the parameters of a statement about one entity."""
    return {"business": ref.business_id, "entity": ref.entity_id}
