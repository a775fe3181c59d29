"""Estimates in advance how many keys a reconciliation run will compare, and how many rows tables have."""

from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import TextClause, text

from store.postgres.client import Postgres
from store.redis.client import Redis

_READ: Mapping[str, tuple[str, ...]] = {
    "follows": ("follows", "following", "followers", "requested_follows", "follow_requests"),
    "blocks": ("blocks", "blocked_by"),
    "posts": ("posts", "topic_posts", "outboxes"),
    "comments": ("comment_contents", "comments", "comment_contents", "comment_subjects"),
    "search": ("posts", "comment_contents", "entities", "search_documents"),
    "cases": ("cases",),
    "counters": ("counters",),
    "notifications": ("notification_heads", "notifications"),
    "user_terms": ("users",),
}
"""By part of a run, the tables whose rows are its keys. A table that is read twice is listed twice."""
TABLES = tuple(sorted({table for tables in _READ.values() for table in tables}))

_ESTIMATED = text("""
    SELECT relname, reltuples FROM pg_class
    WHERE relname = ANY(CAST(:tables AS text[])) AND pg_table_is_visible(oid) AND reltuples > 0
""")


def _counted(table: str) -> TextClause:
    return text(f"SELECT count(*) FROM {table}")  # noqa: S608 - constants


async def rows_of_parts(postgres: Postgres, parts: Collection[str]) -> int:
    """Returns about how many rows in Postgres these parts of a run will compare; a part is, for example, `follows`."""
    return await rows_of_tables(postgres, [table for part in parts for table in _READ.get(part, ())])


async def rows_of_tables(postgres: Postgres, tables: Sequence[str]) -> int:
    """Returns about how many rows these tables have together. The rows of a table that is listed twice count twice.

    Uses the statistics of Postgres. Counts the rows of tables without statistics: these are new, empty, or distributed.
    """
    rows = {name: int(rows) for name, rows in await postgres.read(_ESTIMATED, tables=sorted(set(tables)))}
    for table in set(tables) - rows.keys():
        ((rows[table],),) = await postgres.read(_counted(table))
    return sum(rows[table] for table in tables)


async def keys_in(redis: Redis) -> int:
    """Returns the number of keys on all servers of a logical Redis that answer."""
    answers = await redis.servers.send_to_all([("DBSIZE",)])
    return sum(count for (count,) in answers.values() if isinstance(count, int))
