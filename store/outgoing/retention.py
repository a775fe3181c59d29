"""Removes old outgoing events. A destination that wants a removed event and has not got it yet lapses: it gets no
events until an operator resumes it.
"""

from collections.abc import Collection
from typing import NamedTuple

import orjson
from sqlalchemy import text

from models.counters import EntityRef
from store.outgoing import destinations
from store.outgoing.events.comments import COMMENT_CREATED, COMMENT_UPDATED
from store.outgoing.events.entities import ENTITY_REMOVED, ENTITY_UPDATED
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
_KEPT = text("""
    SELECT h.p, h.bytes - e.bytes_through AS bytes FROM outgoing_heads h
    JOIN LATERAL (SELECT bytes_through FROM outgoing_events WHERE p = h.p ORDER BY position LIMIT 1) AS e ON true
""")
_REMOVE = text("DELETE FROM outgoing_events WHERE p = :p AND position <= :through")
# Events that the destination does not want, or got before a replay, are not lost.
_LOSE = text("""
    UPDATE event_cursors c SET
        lost_after = coalesce(c.lost_after, greatest(c.position, c.replayed_through)),
        lost_through = :through, position = :through
    WHERE c.p = :p AND c.name = :name AND c.position < :through AND EXISTS (
        SELECT FROM outgoing_events e
        WHERE e.p = :p AND e.position > greatest(c.position, c.replayed_through) AND e.position <= :through
          AND (cardinality(CAST(:kinds AS smallint[])) = 0 OR e.kind = ANY(CAST(:kinds AS smallint[])))
          AND (cardinality(CAST(:businesses AS smallint[])) = 0
               OR e.business_id = ANY(CAST(:businesses AS smallint[])))
    )
""")
_FORGET = text(f"""
    DELETE FROM outgoing_events WHERE p = :p AND business_id = :business AND (
        kind IN ({ENTITY_UPDATED.number}, {ENTITY_REMOVED.number}) AND object = :object
        OR kind IN ({COMMENT_CREATED.number}, {COMMENT_UPDATED.number})
            AND position(CAST(:subject AS bytea) IN data) > 0
    )
""")  # noqa: S608 - constants


class Removed(NamedTuple):
    """The result of removing events of one partition: whether there may be more to remove, and the names of the
    destinations that have lost events (`lapsed`).
    """

    more: bool
    lapsed: Collection[str]


async def kept(postgres: Postgres) -> dict[int, int]:
    """Returns, by partition, the number of bytes of its stored events, without the oldest event. Leaves out partitions
    without events.
    """
    return {row.p: row.bytes for row in await postgres.read(_KEPT)}


async def remove(postgres: Postgres, p: int, before: int, keep_bytes: int) -> Removed:
    """Removes up to BATCH events of the partition `p`: those with a position before `before`, and those that lie before
    the newest `keep_bytes` bytes. In the same transaction, marks each destination that wants a removed event and has
    not got it as lapsed (`destinations.lapse`), and stores the range of lost positions in its cursor.
    """
    known = await destinations.read(postgres)
    async with postgres.transaction() as transaction:
        rows = await transaction.execute(_OLD, p=p, batch=BATCH, before=before, keep=keep_bytes)
        through = rows[0].through
        if through is None:
            return Removed(more=False, lapsed=())
        lapsed = [
            name
            for name, one in known.items()
            if await transaction.changed(
                _LOSE, p=p, name=name, through=through, kinds=list(one.kinds), businesses=list(one.businesses)
            )
        ]
        removed = await transaction.changed(_REMOVE, p=p, through=through)
        for name in lapsed:
            reason = f"events of partition {p} up to {through} were removed before they were sent"
            await destinations.lapse(transaction, name, reason)
    return Removed(removed >= BATCH, lapsed)


async def forget(postgres: Postgres, p: int, ref: EntityRef) -> None:
    """Removes the stored events of the partition `p` that contain an entity or the text of a comment on it.
    Destinations that have not got them yet do not get them. Reads all stored events of the partition: an erasure does
    this once, at its end.
    """
    about = {"object": ".".join(map(str, ref)), "subject": b'"subject":' + orjson.dumps(tuple(ref))}
    async with postgres.transaction() as transaction:
        await transaction.execute(_FORGET, p=p, business=ref.business_id, **about)
