"""Cursors: for each destination (a webhook or Redis stream) and partition, the position up to which the destination has
got the events. Also reads the events after a cursor.
"""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import text

from models.outgoing import StoredEvent
from store.postgres.client import Postgres

_DUE = text("""
    SELECT c.name, c.p, c.position, c.lost_after, c.lost_through
    FROM event_cursors c JOIN outgoing_heads h ON h.p = c.p
    WHERE c.p = ANY(CAST(:ps AS smallint[])) AND (h.position > c.position OR c.lost_after IS NOT NULL)
    ORDER BY c.name, c.p
""")
_ALL = text("""
    SELECT name, p, position, lost_after, lost_through, failing_since, failure FROM event_cursors ORDER BY name, p
""")
_NEXT = text("""
    SELECT position, kind, business_id, version, object, data FROM outgoing_events
    WHERE p = :p AND position > :after ORDER BY position LIMIT :count
""")
_ADVANCE = text("""
    UPDATE event_cursors
    SET position = :to, lost_after = NULL, lost_through = NULL, failing_since = NULL, failure = NULL
    WHERE p = :p AND name = :name AND position = :after
""")
_FAILED = text("""
    UPDATE event_cursors SET failure = :why, failing_since = coalesce(failing_since, CAST(:now AS timestamptz))
    WHERE p = :p AND name = :name RETURNING failing_since
""")
_OLDEST = text("""
    SELECT c.name, min(e.position) AS position FROM event_cursors c
    JOIN LATERAL (
        SELECT position FROM outgoing_events WHERE p = c.p AND position > c.position ORDER BY position LIMIT 1
    ) AS e ON true
    WHERE c.p = ANY(CAST(:ps AS smallint[])) GROUP BY c.name
""")
_PENDING = text("""
    SELECT c.p, c.failing_since, c.failure, e.events, e.oldest
    FROM event_cursors c CROSS JOIN LATERAL (
        SELECT count(*) AS events, min(position) AS oldest FROM (
            SELECT position FROM outgoing_events WHERE p = c.p AND position > c.position ORDER BY position LIMIT :most
        ) AS waiting
    ) AS e
    WHERE c.name = :name AND (e.events > 0 OR c.failing_since IS NOT NULL) ORDER BY c.p
""")
_REWIND = text("""
    UPDATE event_cursors SET position = :to, replayed_through = greatest(replayed_through, position)
    WHERE name = :name AND position > :to
""")
_OLDEST_KEPT = text("SELECT min(position) AS position FROM outgoing_events")


class Cursor(NamedTuple):
    """The position up to which the destination `name` has got the events of the partition `p`. If events were removed
    before they were sent, and the destination has not been told yet, the removed events are those after the position
    `lost_after` up to `lost_through`; otherwise both are None.
    """

    name: str
    p: int
    position: int
    lost_after: int | None
    lost_through: int | None
    failing_since: datetime | None = None
    """Since when all attempts have failed; None if the last one succeeded. `due` does not read this, nor `failure`."""
    failure: str | None = None
    """Why the last attempt failed; None if it succeeded."""


class Pending(NamedTuple):
    """What a destination has not got of the partition `p`: the number of events, and the position of the oldest one,
    None without events. Events that the destination does not want count too. `failing_since` and `failure` are those of
    the cursor.
    """

    p: int
    failing_since: datetime | None
    failure: str | None
    events: int
    oldest: int | None


async def due(postgres: Postgres, partitions: Collection[int]) -> list[Cursor]:
    """Returns those cursors of these partitions that have something to send: events after the cursor, or the notice
    that events were lost.
    """
    return [Cursor(*row) for row in await postgres.read(_DUE, ps=sorted(partitions))]


async def every(postgres: Postgres) -> list[Cursor]:
    """Returns the cursors of all destinations and partitions."""
    return [Cursor(*row) for row in await postgres.read(_ALL)]


async def following(postgres: Postgres, p: int, after: int, count: int) -> Sequence[StoredEvent]:
    """Returns up to `count` events of the partition `p` with positions higher than `after`, lowest position first."""
    return [StoredEvent(*row) for row in await postgres.read(_NEXT, p=p, after=after, count=count)]


async def advance(postgres: Postgres, cursor: Cursor, to: int) -> bool:
    """Stores that a destination has got the events of a partition up to the position `to`, and clears the cursor's lost
    range and failures. Returns False and changes nothing if the stored cursor has another position than `cursor`:
    another worker sends the events of this partition, or an operator has moved the cursor.
    """
    return await postgres.write(_ADVANCE, name=cursor.name, p=cursor.p, after=cursor.position, to=to) == 1


async def failed(postgres: Postgres, cursor: Cursor, why: str) -> datetime:
    """Stores that an attempt to send the events after a cursor has failed, with the reason `why`. Returns the time of
    the first failure since the last success.
    """
    now = datetime.now(UTC)
    async with postgres.transaction() as transaction:
        rows = await transaction.execute(_FAILED, p=cursor.p, name=cursor.name, why=why, now=now)
    return rows[0].failing_since if rows else now


async def oldest_waiting(postgres: Postgres, partitions: Collection[int]) -> dict[str, int]:
    """Returns, by name of destination, the position of the oldest event of these partitions that the destination has
    not got. Events that the destination does not want count too: a search for the wanted ones could read all events.
    Destinations for which no event waits are left out.
    """
    return {row.name: row.position for row in await postgres.read(_OLDEST, ps=sorted(partitions))}


async def pending(postgres: Postgres, name: str, most: int) -> list[Pending]:
    """Returns what the destination `name` has not got, for each partition in which events wait or attempts fail. Counts
    at most `most` events of a partition.
    """
    return [Pending(*row) for row in await postgres.read(_PENDING, name=name, most=most)]


async def rewind(postgres: Postgres, name: str, to: int) -> int:
    """Moves the cursors of the destination `name` back to the position `to`, so that later events are sent again.
    Cursors at or before `to` stay. Returns the number of moved cursors, one for each partition.
    """
    return await postgres.write(_REWIND, name=name, to=to)


async def oldest_kept(postgres: Postgres) -> int | None:
    """Returns the position of the oldest event that is still stored and can be sent again; None if there is none."""
    found: int | None = (await postgres.read(_OLDEST_KEPT))[0].position
    return found
