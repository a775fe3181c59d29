"""Compares the two tables of blocks between users with each other: `blocks` has them by blocker, and `blocked_by` by
blocked user.
"""

from collections.abc import Sequence

from sqlalchemy import text

from store.people.boundary_rows import Block
from store.postgres.client import Transaction
from store.postgres.columns import columns
from store.reconcile.batches import Comparison, compared


def _differing(table: str, other: str, mirror: str, mirrored: str) -> Comparison:
    """Returns the comparison of `table` with the table `mirror`. A key is a user and the other user (the column
    `other`). It drifts if `mirror`, whose column `mirrored` has the user, has no equal row about these two users.
    """
    key = f"user_id, {other}"
    batch = f"""SELECT {key}, stands, version FROM {table} WHERE ({key}) > (:user, :other)
        ORDER BY {key} LIMIT :count"""  # noqa: S608 - constants
    same = f"""SELECT b.user_id, b.{other} FROM batch b JOIN {mirror} m
        ON m.user_id = b.{other} AND m.{mirrored} = b.user_id
        WHERE (m.stands, m.version) = (b.stands, b.version)"""  # noqa: S608 - constants
    return compared(key, ("user", "other"), batch, same)


BLOCKS = _differing("blocks", "blocked_id", "blocked_by", "blocker_id")
"""Compares all rows of `blocks`, by blocker and blocked user. A row drifts if `blocked_by` has no equal row."""
BLOCKED_BY = _differing("blocked_by", "blocker_id", "blocks", "blocked_id")
"""Compares all rows of `blocked_by`, by blocked user and blocker. A row drifts if `blocks` has no equal row."""

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
    """Returns, for each of these pairs (blocker, blocked user), the newer of its rows in `blocks` and `blocked_by`."""
    rows = await transaction.execute(_NEWEST, **columns(pairs, "users", "others"))
    return [tuple(row) for row in rows]
