"""Writes whose payloads show counters: reads the counters in the round trip of the script."""

import asyncio
from collections.abc import Awaitable

from context import Context
from models.counters import Counts, EntityRef
from store.write_log.operations import Outcome


async def with_counts(context: Context, ref: EntityRef, appending: Awaitable[Outcome]) -> Counts | None:
    """Waits for a write about an object. Returns the cached counters of the object; None if they cannot be read: the
    change is made, and the payload will read them again.
    """
    reading = asyncio.create_task(context.shared.counts.cached(ref))
    try:
        await appending
    except BaseException:
        reading.cancel()
        raise
    try:
        return await reading
    except Exception:  # noqa: BLE001 - the payload reports it
        return None
