"""Removes old outgoing events. A destination that has not got them yet has lost them: it lapses."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import text

from store.outgoing import destinations
from store.postgres.client import Postgres

BATCH = 5_000
"""The most events that one statement removes."""

# The oldest events that are too old, or that lie before the newest `keep` bytes. They are read in order of positions.
_OLD = text("""
    SELECT max(position) AS through FROM (
        SELECT e.position, e.bytes_through, h.bytes FROM outgoing_events e JOIN outgoing_heads h ON h.p = e.p
        WHERE e.p = :p ORDER BY e.position LIMIT :batch
    ) AS oldest
    WHERE position < :before OR bytes_through <= bytes - :keep
""")
_REMOVE = text("DELETE FROM outgoing_events WHERE p = :p AND position <= :through")
_LOSE = text("""
    UPDATE event_cursors c SET
        lost_after = coalesce(c.lost_after, c.position), lost_through = :through, position = :through
    WHERE c.p = :p AND c.position < :through AND EXISTS (
        SELECT FROM outgoing_events e WHERE e.p = :p AND e.position > c.position AND e.position <= :through
    )
    RETURNING c.name
""")


class Removed(NamedTuple):
    """What was removed from a partition: whether there may be more, and the destinations that have lost events."""

    more: bool
    lapsed: Collection[str]


async def remove(postgres: Postgres, p: int, before: int, keep_bytes: int) -> Removed:
    """Removes up to BATCH events of a partition: those with a position before `before`, and those that lie before the
    newest `keep_bytes` bytes. In the same transaction, destinations that have not got one of them lapse, and the lost
    range is stored.
    """
    async with postgres.transaction() as transaction:
        rows = await transaction.execute(_OLD, p=p, batch=BATCH, before=before, keep=keep_bytes)
        through = rows[0].through
        if through is None:
            return Removed(more=False, lapsed=())
        lapsed = {name for (name,) in await transaction.execute(_LOSE, p=p, through=through)}
        removed = await transaction.changed(_REMOVE, p=p, through=through)
        for name in sorted(lapsed):
            reason = f"events of partition {p} up to {through} were removed before they were sent"
            await destinations.lapse(transaction, name, reason)
    return Removed(removed >= BATCH, lapsed)
