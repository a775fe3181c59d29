"""Outgoing events: adds destinations, sends what waits, and reads what they got."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from store.outgoing import destinations
from store.outgoing.registry import KINDS_BY_LABEL
from tests.support.reconciliation import execute
from tests.support.system import System
from workers.outgoing.delivery import Delivery

EVERY = range(64)


async def to_stream(system: System, *kinds: str, name: str = "stream", businesses: Sequence[int] = ()) -> None:
    """Adds a destination: the stream with this name in the Redis of the test."""
    url = f"{system.settings.redis_url}?stream={name}"
    wanted = [KINDS_BY_LABEL[kind].number for kind in kinds]
    assert await destinations.add(system.state.postgres, name, url, wanted, businesses, [])


async def send_all(system: System) -> None:
    """Sends what waits, as the worker that owns all partitions."""
    delivery = Delivery(system.state, lambda: EVERY)
    try:
        await delivery.step()
        await delivery.finish()
    finally:
        await delivery.close()


async def fail_for_too_long(system: System) -> None:
    """Lets the failures so far be older than `pause_after`, and tries again."""
    ((now,),) = await system.rows("SELECT clock_timestamp()")
    since = "UPDATE event_cursors SET failing_since = CAST(:since AS timestamptz) WHERE failing_since IS NOT NULL"
    await execute(system, since, since=now - timedelta(days=2))
    await send_all(system)


async def received(system: System, name: str = "stream") -> list[dict[str, Any]]:
    """Drains the system, sends what waits, and returns all events of a stream."""
    await system.drain()
    await send_all(system)
    entries = await system.state.redis.client.xrange(name)
    events = [json.loads(fields[b"event"]) for _, fields in entries]
    assert [(event["id"], event["kind"]) for event in events] == [
        (fields[b"id"].decode(), fields[b"kind"].decode()) for _, fields in entries
    ]
    return events


def short(event: dict[str, Any], *names: str) -> tuple[Any, ...]:
    """Returns the kind of an event, and some values of its data."""
    return (event["kind"], *(event["data"][name] for name in names))
