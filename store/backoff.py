"""How long to wait before something that failed is tried again."""

import asyncio
import random

_FIRST = 0.05
_ENOUGH = 20
"""Doublings beyond any longest pause; after an hour's failures a float would not hold them all."""


def pause(failures: int, longest: float) -> float:
    """Seconds after so many failures in a row: twice as long each time up to the longest, less up to half by chance."""
    return min(longest, _FIRST * 2.0 ** min(failures, _ENOUGH)) * random.uniform(0.5, 1)  # noqa: S311 - jitter


async def rest(seconds: float) -> None:
    """Sleeps between two steps of a task that repeats them until it is cancelled.

    Raises CancelledError also where a step has lost a cancellation: `asyncio.wait_for` of Python 3.11, which redis-py
    and SQLAlchemy use, drops one that comes together with its result. The task would go on for ever.
    """
    task = asyncio.current_task()
    if task and task.cancelling():
        raise asyncio.CancelledError
    await asyncio.sleep(seconds)
