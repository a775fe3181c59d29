"""Comparison of the rows of blocks by blocker with those by blocked user."""

from collections.abc import Sequence

from sqlalchemy import text

from store.people.boundary_rows import Block
from store.postgres.client import Transaction
from store.postgres.columns import columns
from store.reconcile.batches import Keyset

_DIFFERENCES = """
    SELECT l.user_id, l.{other}, (r.stands, r.version) IS DISTINCT FROM (l.stands, l.version)
    FROM (SELECT user_id, {other}, stands, version FROM {table} WHERE (user_id, {other}) > (:user, :other)
          ORDER BY user_id, {other} LIMIT :count) AS l
    LEFT JOIN {mirror} r ON r.user_id = l.{other} AND r.{mirrored} = l.user_id
    ORDER BY l.user_id, l.{other}
"""
_NAMES = ("user", "other")
BLOCKS = Keyset(
    text(_DIFFERENCES.format(table="blocks", other="blocked_id", mirror="blocked_by", mirrored="blocker_id")), _NAMES
)
"""Reads all rows of `blocks` in batches: blocker and blocked user. A row drifts if `blocked_by` differs from it."""
BLOCKED_BY = Keyset(
    text(_DIFFERENCES.format(table="blocked_by", other="blocker_id", mirror="blocks", mirrored="blocked_id")), _NAMES
)
"""Reads all rows of `blocked_by` in batches: blocked user and blocker. A row drifts if `blocks` differs from it."""

_NEWEST = text("""
    SELECT DISTINCT ON (user_id, blocked_id) user_id, blocked_id, stands, version FROM (
        SELECT b.user_id, b.blocked_id, b.stands, b.version, 0 AS place FROM blocks b
        JOIN unnest(CAST(:users AS bigint[]), CAST(:others AS bigint[])) AS w(a, b)
             ON b.user_id = w.a AND b.blocked_id = w.b
        UNION ALL
        SELECT y.blocker_id, y.user_id, y.stands, y.version, 1 FROM blocked_by y
        JOIN unnest(CAST(:users AS bigint[]), CAST(:others AS bigint[])) AS w(a, b)
             ON y.user_id = w.b AND y.blocker_id = w.a
    ) AS rows ORDER BY user_id, blocked_id, version DESC, place
""")


async def newest(transaction: Transaction, pairs: Sequence[tuple[int, int]]) -> list[Block]:
    """Reads the newer row of each of these pairs (blocker, blocked user) from both tables."""
    rows = await transaction.execute(_NEWEST, **columns(pairs, "users", "others"))
    return [tuple(row) for row in rows]
