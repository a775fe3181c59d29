"""The destinations of outgoing events: webhooks and Redis streams, which operators add with `plaudit webhooks`."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import text

from models.outgoing import Destination, DestinationState
from store.postgres.client import Postgres, Transaction

_ACTIVE, _PAUSED, _LAPSED = map(int, DestinationState)

_READ = text("""
    SELECT name, url, kinds, businesses, secrets, state, reason FROM event_destinations ORDER BY name
""")
_ADD = text("""
    INSERT INTO event_destinations (name, url, kinds, businesses, secrets, state)
    VALUES (:name, :url, CAST(:kinds AS smallint[]), CAST(:businesses AS smallint[]), CAST(:secrets AS text[]), 0)
    ON CONFLICT (name) DO NOTHING
""")
_HEADS = text("SELECT p.p, coalesce(h.position, 0) FROM partitions p LEFT JOIN outgoing_heads h ON h.p = p.p")
_ADD_CURSORS = text("""
    INSERT INTO event_cursors (p, name, position)
    SELECT p, :name, position FROM unnest(CAST(:ps AS smallint[]), CAST(:positions AS bigint[])) AS w(p, position)
""")
_REMOVE = text("DELETE FROM event_destinations WHERE name = :name")
_REMOVE_CURSORS = text("DELETE FROM event_cursors WHERE name = :name")
_ADD_SECRET = text("""
    UPDATE event_destinations SET secrets = (array_prepend(CAST(:secret AS text), secrets))[1:CAST(:most AS integer)]
    WHERE name = :name
""")
_SET_STATE = text("""
    UPDATE event_destinations SET state = :state, reason = :reason WHERE name = :name
""")
_FORGET_FAILURES = text("UPDATE event_cursors SET failing_since = NULL, failure = NULL WHERE name = :name")
_PAUSE = text(f"""
    UPDATE event_destinations SET state = {_PAUSED}, reason = :reason WHERE name = :name AND state = {_ACTIVE}
""")  # noqa: S608 - constants
_LAPSED_NOW = text(f"""
    UPDATE event_destinations SET state = {_LAPSED}, reason = :reason WHERE name = :name
""")  # noqa: S608 - constants


async def read(postgres: Postgres) -> dict[str, Destination]:
    """Reads all destinations (webhooks and Redis streams), by name."""
    return {row.name: _destination(row) for row in await postgres.read(_READ)}


def _destination(row: Sequence[Any]) -> Destination:
    name, url, kinds, businesses, secrets, state, reason = row
    return Destination(name, url, tuple(kinds), tuple(businesses), tuple(secrets), DestinationState(state), reason)


async def add(
    postgres: Postgres, name: str, url: str, kinds: Sequence[int], businesses: Sequence[int], secrets: Sequence[str]
) -> bool:
    """Adds a destination. From now on, events of these kinds and businesses are sent to it; empty `kinds` or
    `businesses` mean all. `secrets` sign the requests to a webhook. Returns False if a destination with this name
    exists.
    """
    values = {"kinds": list(kinds), "businesses": list(businesses), "secrets": list(secrets)}
    async with postgres.transaction() as transaction:
        if not await transaction.changed(_ADD, name=name, url=url, **values):
            return False
        heads = await transaction.execute(_HEADS)
        places = {"ps": [p for p, _ in heads], "positions": [position for _, position in heads]}
        await transaction.execute(_ADD_CURSORS, name=name, **places)
    return True


async def remove(postgres: Postgres, name: str) -> bool:
    """Removes a destination and its cursors. Returns False if there is no destination with this name."""
    async with postgres.transaction() as transaction:
        await transaction.execute(_REMOVE_CURSORS, name=name)
        return await transaction.changed(_REMOVE, name=name) > 0


async def add_secret(postgres: Postgres, name: str, secret: str, most: int) -> bool:
    """Adds a secret that signs requests to a destination, and keeps its newest `most` secrets. Returns False if there
    is no destination with this name.
    """
    return await postgres.write(_ADD_SECRET, name=name, secret=secret, most=most) > 0


async def set_state(postgres: Postgres, name: str, state: DestinationState, reason: str | None) -> bool:
    """Sets the state of a destination, such as paused or active, and forgets its failures. `reason` is shown to
    operators. Returns False if there is no destination with this name.
    """
    async with postgres.transaction() as transaction:
        await transaction.execute(_FORGET_FAILURES, name=name)
        return await transaction.changed(_SET_STATE, name=name, state=int(state), reason=reason) > 0


async def pause(postgres: Postgres, name: str, reason: str) -> None:
    """Pauses a destination because sending to it fails. `reason` is shown to operators. Does nothing if the destination
    is not active.
    """
    await postgres.write(_PAUSE, name=name, reason=reason)


async def lapse(transaction: Transaction, name: str, reason: str) -> None:
    """Marks a destination as lapsed: events were removed before it got them. It gets no events until an operator
    resumes it. `reason` is shown to operators.
    """
    await transaction.execute(_LAPSED_NOW, name=name, reason=reason)
