"""Removes data that is older than its retention period, in batches. Each kind of data is one entry of KINDS. The rows
of users under a legal hold stay.

A removed action stays counted: the statement that removes its row from `records` adds it to the number in
`swept_records`. So a counter of actions is always the number of rows in `records` plus the number in `swept_records`.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import TextClause, text

from domain.ids import born_ms, first_id_at
from domain.versions import moment_at, moment_ms, version_at, version_ms
from models.appeals import HAS_DECIDED_TEXT
from models.authored import NEWEST
from models.base import HAS_CLIENT
from models.deletions import without_hold
from models.notices import HAS_TEXTS
from models.statements import HAS_DECIDED_TEXT as HAS_DECIDED_STATEMENT_TEXT
from store.content import edits, removed_texts, uploaded_files
from store.log_partitions import LOGS
from store.postgres.client import Postgres, Transaction
from store.postgres.columns import columns
from store.postgres.distributed import on_citus

BATCH = 1000
MOST_COUNTED = 100_000
"""The number of overdue rows up to which `overdue` counts."""
_DAY_MS = 86_400_000


class Clock(NamedTuple):
    """How the rows of a table say how old they are. `at` returns the lowest number of a row that was made at a time,
    and `ms` the time of a number. Times are in milliseconds since the Unix epoch.
    """

    at: Callable[[int], int]
    ms: Callable[[int], int]


_VERSIONS = Clock(version_at, version_ms)
_MOMENTS = Clock(moment_at, moment_ms)
_IDS = Clock(first_id_at, born_ms)
_TIMES = Clock(lambda ms: ms, lambda ms: ms)
_DAYS = Clock(lambda ms: ms // _DAY_MS, lambda day: day * _DAY_MS)


class Batch(NamedTuple):
    """What was removed at once. `touched` are the users, posts or comments whose cached values have changed."""

    removed: int
    is_full: bool
    """Whether there may be more to remove."""
    touched: Sequence[Any] = ()


class Overdue(NamedTuple):
    """The data of one kind that is too old and still there: the number of rows, at most MOST_COUNTED + 1, and the time
    of the oldest in milliseconds since the Unix epoch (None: there is none).
    """

    rows: int
    oldest_ms: int | None


Remove = Callable[[Transaction, dict[str, object]], Awaitable[Batch]]


class Kind(NamedTuple):
    """A kind of data that is removed when it is too old.

    `rows` is SQL that begins after FROM and selects the rows that are too old: those whose `age` is lower than the
    parameter `before`. `age` is a column or an expression, and `clock` says what its numbers mean. `removal` is a
    statement that removes up to BATCH rows and returns their number, or a function that removes a batch.
    """

    rows: str
    age: str
    clock: Clock
    removal: TextClause | Remove


def _gone(table: str, key: str, rows: str, age: str, also: str = "true") -> str:
    """Returns SQL that begins with WITH and defines the table expression `gone`, which removes up to BATCH of the rows
    `rows`, the oldest ones by `age`, and returns their keys.

    `key` has the columns of the primary key. `also` is a condition on the table, as `t`, with which Postgres skips
    partitions that have no such rows, and keeps rows that another transaction has just renewed.
    """
    mine, old = (", ".join(f"{name}.{column}" for column in key.split(", ")) for name in ("t", "old"))
    return f"""
        WITH old AS MATERIALIZED (SELECT {key} FROM {rows} ORDER BY {age} LIMIT {BATCH}),
        gone AS (DELETE FROM {table} t USING old WHERE ({mine}) = ({old}) AND {also} RETURNING {mine})
    """  # noqa: S608 - constants


def _deleted(table: str, key: str, rows: str, age: str, clock: Clock, also: str = "true") -> Kind:
    """Returns a kind whose rows are deleted. For the parameters, see `_gone`."""
    gone = _gone(table, key, rows, age, also)
    return Kind(rows, age, clock, text(f"{gone} SELECT count(*) FROM gone"))  # noqa: S608 - constants


def _cleared(table: str, key: str, rows: str, age: str, clock: Clock, values: str) -> Kind:
    """Returns a kind whose rows stay, and get the `values` of a SET clause. For the other parameters, see `_gone`.

    Rows that another transaction has locked are left to the next batch, so that there is no deadlock with it. Citus
    cannot lock rows of several shards in a query, and ends deadlocks itself.
    """
    mine, old = (", ".join(f"{name}.{column}" for column in key.split(", ")) for name in ("t", "old"))
    statement = f"""
        WITH old AS MATERIALIZED (SELECT {key} FROM {rows} ORDER BY {age} LIMIT {BATCH} {{lock}}),
        changed AS (UPDATE {table} t SET {values} FROM old WHERE ({mine}) = ({old}) RETURNING 1)
        SELECT count(*) FROM changed
    """  # noqa: S608 - constants
    locking, plain = text(statement.format(lock=f"FOR UPDATE OF {table} SKIP LOCKED")), text(statement.format(lock=""))
    return Kind(rows, age, clock, on_citus(locking, plain))


def _without_client(table: str, key: str) -> Kind:
    """Returns a kind whose rows lose the columns that say where a change came from (models/base.py)."""
    rows = f"{table} WHERE ({HAS_CLIENT}) AND {key} < :before AND {without_hold('author_id')}"
    return _cleared(table, key, rows, key, _IDS, "ip = NULL, device = NULL, client = NULL")


_OLD_RECORDS = f"records WHERE version < :before AND {without_hold('actor_id')}"
_RECORDS = text(f"""
    {_gone("records", "actor_id, business_id, entity_id, kind, bucket", _OLD_RECORDS, "version")},
    counted AS (
        INSERT INTO swept_records AS s (business_id, kind, entity_id, value)
        SELECT business_id, kind, entity_id, count(*) FROM gone GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (business_id, kind, entity_id) DO UPDATE SET value = s.value + excluded.value
    )
    SELECT count(*) FROM gone
""")  # noqa: S608 - constants
_OLD_NOTIFICATIONS = f"notifications WHERE updated_ms < :before AND {without_hold('user_id')}"
_NOTIFICATIONS = text(f"""
    {_gone("notifications", "user_id, notification_id", _OLD_NOTIFICATIONS, "updated_ms", "t.updated_ms < :before")}
    SELECT user_id, notification_id FROM gone
""")  # noqa: S608 - constants
_NOTIFICATION_ACTORS = text("""
    DELETE FROM notification_actors a
    USING unnest(CAST(:users AS bigint[]), CAST(:ids AS bigint[])) AS gone(user_id, notification_id)
    WHERE (a.user_id, a.notification_id) = (gone.user_id, gone.notification_id)
""")


def _decided(table: str, user: str, condition: str = "status <> 0") -> str:
    """Returns SQL that begins after FROM and selects reports or appeals that were decided long ago. They do not say
    when they were decided. The case of their target says when the last decision was.
    """
    return f"""
        {table} WHERE {condition} AND version < :before AND {without_hold(user)} AND NOT EXISTS (
            SELECT FROM cases c WHERE (c.business_id, c.entity_id) = ({table}.business_id, {table}.entity_id)
                AND (c.sources <> 0 OR c.moment >= CAST(:before AS bigint) >> 20 << 10)
        )
    """


_OLD_REPORTS = _decided("reports", "reporter_id")
_OLD_APPEALS = _decided("appeals", "author_id", HAS_DECIDED_TEXT)
_OLD_STATEMENT_APPEALS = (
    f"statements WHERE {HAS_DECIDED_STATEMENT_TEXT} AND appeal_version < :before AND {without_hold('user_id')}"
)
_OLD_CLAIMS = f"claims WHERE entity_id < :before AND {without_hold('author_id')}"
_OLD_TRACES = (
    f"traces WHERE at_ms < :before AND (network IS NOT NULL OR device IS NOT NULL) AND {without_hold('author_id')}"
)
_OLD_DAYS = "WHERE business_id = ANY(CAST(:businesses AS smallint[])) AND day < :before"


async def _remove_notifications(transaction: Transaction, parameters: dict[str, object]) -> Batch:
    gone = await transaction.execute(_NOTIFICATIONS, **parameters)
    if gone:
        await transaction.execute(_NOTIFICATION_ACTORS, **columns(gone, "users", "ids"))
    return Batch(len(gone), len(gone) == BATCH, sorted({row.user_id for row in gone}))


async def _empty_posts(transaction: Transaction, parameters: dict[str, Any]) -> Batch:
    rows, is_full = await removed_texts.empty_posts(transaction, **parameters)
    return Batch(len(rows), is_full, rows)


async def _empty_comments(transaction: Transaction, parameters: dict[str, Any]) -> Batch:
    rows, is_full = await removed_texts.empty_comments(transaction, **parameters)
    return Batch(len(rows), is_full, rows)


async def _delete_files(transaction: Transaction, parameters: dict[str, Any]) -> Batch:
    return Batch(*await uploaded_files.delete_unused(transaction, **parameters))


KINDS: dict[str, Kind] = {
    "post_clients": _without_client("posts", "post_id"),
    "comment_clients": _without_client("comment_contents", "comment_id"),
    "post_texts": Kind(removed_texts.OVERDUE_POSTS, NEWEST, _VERSIONS, _empty_posts),
    "comment_texts": Kind(removed_texts.OVERDUE_COMMENTS, NEWEST, _VERSIONS, _empty_comments),
    "edits": _deleted("edits", "business_id, entity_id, version", edits.OVERDUE, "replaced", _VERSIONS),
    "uploads": Kind(uploaded_files.UNUSED, "since_ms", _TIMES, _delete_files),
    "reports": _deleted(
        "reports",
        "business_id, entity_id, reporter_id",
        _OLD_REPORTS,
        "version",
        _VERSIONS,
        "t.status <> 0 AND t.version < :before",
    ),
    "appeal_texts": _cleared(
        "appeals", "business_id, entity_id", _OLD_APPEALS, "version", _VERSIONS, values="text = ''"
    ),
    "statement_appeal_texts": _cleared(
        "statements", "user_id, statement_id", _OLD_STATEMENT_APPEALS, "appeal_version", _VERSIONS, "appeal_text = ''"
    ),
    "notice_texts": _cleared(
        "notices",
        "business_id, entity_id, notice_id",
        f"notices WHERE decided < :before AND {HAS_TEXTS}",
        "decided",
        _MOMENTS,
        values="explanation = '', name = NULL, email = NULL",
    ),
    "notifications": Kind(_OLD_NOTIFICATIONS, "updated_ms", _TIMES, _remove_notifications),
    "claims": _deleted("claims", "author_id, business_id, key", _OLD_CLAIMS, "entity_id", _IDS),
    "records": Kind(_OLD_RECORDS, "version", _VERSIONS, _RECORDS),
    **{
        table: _deleted(table, key, f"{table} {_OLD_DAYS}", "day", _DAYS)
        for table, key in (
            ("daily_likes", "business_id, day, entity_id"),
            ("daily_reactions", "business_id, day, kind, entity_id"),
        )
    },
    "traces": _deleted(
        "traces", "author_id, business_id, entity_id", _OLD_TRACES, "at_ms", _TIMES, "t.at_ms < :before"
    ),
    **{
        log: _deleted(
            log,
            "user_id, version",
            f"{log} WHERE version < :before AND {without_hold('user_id')}",
            "version",
            _VERSIONS,
            "t.version < :before",
        )
        for log in LOGS
    },
}
"""The kinds of data that are removed when they are too old, by name."""

_REMEMBER = text("""
    INSERT INTO removals AS r (kind, removed, first_at, last_at) VALUES (:kind, :removed, now(), now())
    ON CONFLICT (kind) DO UPDATE SET removed = r.removed + excluded.removed, last_at = excluded.last_at
""")
_REMOVALS = text("SELECT kind, removed, first_at, last_at FROM removals")
_OLDEST = {
    name: text(f"SELECT min({kind.age}) FROM {kind.rows}")  # noqa: S608 - constants
    for name, kind in KINDS.items()
}
_COUNT = {
    name: text(f"SELECT count(*) FROM (SELECT 1 FROM {kind.rows} LIMIT {MOST_COUNTED + 1}) AS overdue")  # noqa: S608
    for name, kind in KINDS.items()
}


async def remove(postgres: Postgres, name: str, before_ms: int, **parameters: object) -> Batch:
    """Removes a batch of data of the kind `name` that is older than `before_ms`, in milliseconds since the Unix epoch.
    Counts the removed rows in the same transaction. `daily_likes` and `daily_reactions` also need the parameter
    `businesses`, the numbers of all businesses. `post_texts` and `comment_texts` take `delete_files`
    (`removed_texts.DeleteFiles`), and `uploads` the parameters of `uploaded_files.delete_unused`. Raises PostgresDown,
    or an error of these functions.
    """
    kind = KINDS[name]
    async with postgres.transaction() as transaction:
        batch = await _remove(transaction, kind.removal, {"before": kind.clock.at(before_ms), **parameters})
        if batch.removed:
            await transaction.execute(_REMEMBER, kind=name, removed=batch.removed)
    return batch


async def _remove(transaction: Transaction, removal: TextClause | Remove, parameters: dict[str, object]) -> Batch:
    if not isinstance(removal, TextClause):
        return await removal(transaction, parameters)
    removed = int((await transaction.execute(removal, **parameters))[0][0])
    return Batch(removed, removed == BATCH)


async def oldest(postgres: Postgres, name: str, before_ms: int, **parameters: object) -> int | None:
    """Returns the time of the oldest data of a kind that is older than `before_ms`; None if there is none. For the
    parameters, see `remove`. Raises PostgresDown.
    """
    clock = KINDS[name].clock
    found = (await postgres.read(_OLDEST[name], before=clock.at(before_ms), **parameters))[0][0]
    return None if found is None else clock.ms(found)


async def overdue(postgres: Postgres, name: str, before_ms: int, **parameters: object) -> Overdue:
    """Returns how many rows of a kind are older than `before_ms`, and the time of the oldest. For the parameters, see
    `remove`. Raises PostgresDown.
    """
    count = await postgres.read(_COUNT[name], before=KINDS[name].clock.at(before_ms), **parameters)
    return Overdue(count[0][0], await oldest(postgres, name, before_ms, **parameters))


class Removal(NamedTuple):
    """How many rows of a kind were removed since the installation, and when the first and the last were."""

    removed: int
    first_at: datetime
    last_at: datetime


async def removals(postgres: Postgres) -> dict[str, Removal]:
    """Returns what was removed since the installation, by kind. Leaves out kinds of which nothing was removed."""
    return {name: Removal(*rest) for name, *rest in await postgres.read(_REMOVALS)}
