"""Keeps the chunks of imports apart from erasures of entities and deletions of accounts.

A chunk is one transaction. It begins with `hold`, and then reads which of its users and entities are being removed. A
removal stores that it has begun, and later calls `let_end`. A chunk that holds the lock before this has committed when
`let_end` returns, so the removal finds the rows of the chunk. A chunk that takes the lock after this reads that the
removal has begun.
"""

from collections.abc import Collection

from sqlalchemy import text

from store.postgres.client import Postgres, Reader, Transaction

_LOCK = 7_310_214_002
"""The number of the lock. It has no meaning of its own."""
_HOLD = text("SELECT pg_advisory_xact_lock_shared(:lock)")
_LET_END = text("SELECT pg_advisory_xact_lock(:lock)")
_DELETED = text("""
    SELECT user_id FROM deletions WHERE user_id = ANY(CAST(:ids AS bigint[])) AND started_ms IS NOT NULL
""")


async def hold(transaction: Transaction) -> None:
    """Keeps `let_end` waiting until the transaction ends."""
    await transaction.execute(_HOLD, lock=_LOCK)


async def let_end(postgres: Postgres) -> None:
    """Waits until the transactions of all chunks have ended that are being written. Raises PostgresDown if one of them
    takes too long; the call can then be repeated.
    """
    async with postgres.transaction() as transaction:
        await transaction.execute(_LET_END, lock=_LOCK)


async def deleted_among(source: Reader, ids: Collection[int]) -> set[int]:
    """Returns those of these users whose accounts are being deleted or were deleted. Deletions that can still be
    cancelled do not count.
    """
    return {id_ for (id_,) in await source.read(_DELETED, ids=sorted(ids))} if ids else set()
