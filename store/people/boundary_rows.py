"""Writes the rows of blocks, mutes and muted threads. A row is not written if the stored one has a higher version."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from store.postgres.client import Transaction
from store.postgres.columns import columns

_BLOCKS = text("""
    INSERT INTO blocks AS b (user_id, blocked_id, stands, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:others AS bigint[]), CAST(:stands AS boolean[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, blocked_id) DO UPDATE SET stands = excluded.stands, version = excluded.version
    WHERE excluded.version >= b.version
""")
_BLOCKED_BY = text("""
    INSERT INTO blocked_by AS b (user_id, blocker_id, stands, version)
    SELECT * FROM unnest(CAST(:others AS bigint[]), CAST(:users AS bigint[]), CAST(:stands AS boolean[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, blocker_id) DO UPDATE SET stands = excluded.stands, version = excluded.version
    WHERE excluded.version >= b.version
""")
_MUTES = text("""
    INSERT INTO mutes AS m (user_id, muted_id, until_ms, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:others AS bigint[]), CAST(:untils AS bigint[]),
                         CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, muted_id) DO UPDATE SET until_ms = excluded.until_ms, version = excluded.version
    WHERE excluded.version >= m.version
""")
_THREADS = text("""
    INSERT INTO thread_mutes AS t (user_id, business_id, entity_id, stands, version)
    SELECT * FROM unnest(CAST(:users AS bigint[]), CAST(:businesses AS smallint[]), CAST(:entities AS bigint[]),
                         CAST(:stands AS boolean[]), CAST(:versions AS bigint[]))
    ON CONFLICT (user_id, business_id, entity_id) DO UPDATE SET stands = excluded.stands, version = excluded.version
    WHERE excluded.version >= t.version
""")

Block = tuple[int, int, bool, int]
"""A user, another user, whether the first blocks the second, and the version of the change."""
Mute = tuple[int, int, int, int]
"""A user, another user, the end of the mute in milliseconds since the Unix epoch, and the version of the change."""

ThreadMute = tuple[int, int, int, bool, int]
"""A user, the business and the id of a thread, whether the user mutes the thread, and the version of the change."""


async def write_blocks(transaction: Transaction, rows: Sequence[Block]) -> None:
    """Writes blocks, once for each of the two users. `rows` have each pair of users at most once."""
    values = columns(sorted(rows), "users", "others", "stands", "versions")
    await transaction.execute(_BLOCKS, **values)
    await transaction.execute(_BLOCKED_BY, **columns(sorted(rows, key=_by_blocked), *values))


async def write_mutes(transaction: Transaction, rows: Sequence[Mute]) -> None:
    """Writes mutes. `rows` have each pair of users at most once."""
    await transaction.execute(_MUTES, **columns(sorted(rows), "users", "others", "untils", "versions"))


async def write_thread_mutes(transaction: Transaction, rows: Sequence[ThreadMute]) -> None:
    """Writes mutes of threads. `rows` have each pair of a user and a thread at most once."""
    values = columns(sorted(rows), "users", "businesses", "entities", "stands", "versions")
    await transaction.execute(_THREADS, **values)


def _by_blocked(row: Sequence[Any]) -> tuple[int, int]:
    return row[1], row[0]
