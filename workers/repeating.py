"""Repeats a step of a worker in the background, and waits with a limit."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from observability.logs import Log
from store.backoff import rest

log = Log(__name__)


async def repeat_every(step: Callable[[], Awaitable[object]], every: float, failed: str) -> None:
    """Calls `step` again and again, without end, with a pause of `every` seconds. If a call fails, logs the message
    `failed` and continues.
    """
    while True:
        try:
            await step()
        except Exception as error:  # noqa: BLE001 - the next call may succeed
            log.warning(failed, error=repr(error))
        await rest(every)


async def wait_for(stop: asyncio.Event, seconds: float) -> None:
    """Waits until `stop` is set, but at most `seconds` seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stop.wait()
