"""Tasks that have been cancelled, but whose cancellation a library has lost (store/backoff.py)."""

import asyncio
from collections.abc import Awaitable
from contextlib import suppress


async def ends_once_cancelled(steps: Awaitable[object]) -> bool:
    """Returns whether steps end with CancelledError in a task that has lost its cancellation."""

    async def cancelled() -> None:
        task = asyncio.current_task()
        assert task
        task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(0)
        await steps

    (ended,) = await asyncio.gather(asyncio.create_task(cancelled()), return_exceptions=True)
    return isinstance(ended, asyncio.CancelledError)
