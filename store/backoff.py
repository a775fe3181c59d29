"""Pauses between repeated attempts."""

import asyncio
import random

_FIRST = 0.05
_ENOUGH = 20
"""The number of failures after which the pause is no longer doubled. It is then longer than every `longest` that is
used, and further doublings would overflow a float.
"""


def pause(failures: int, longest: float) -> float:
    """Returns how many seconds to wait after `failures` failed attempts in a row. The pause doubles with each failure
    up to `longest` seconds, and is shortened at random by up to half.
    """
    return min(longest, _FIRST * 2.0 ** min(failures, _ENOUGH)) * random.uniform(0.5, 1)  # noqa: S311 - jitter


async def rest(seconds: float) -> None:
    """Sleeps for `seconds`. Use it for the pauses of a loop that runs until its task is cancelled.

    Raises CancelledError also if the task was cancelled before this call and the cancellation was lost. In Python 3.11,
    `asyncio.wait_for`, which redis-py and SQLAlchemy use, drops a cancellation that arrives together with the result.
    Without this check, the task would then never end.
    """
    task = asyncio.current_task()
    if task and task.cancelling():
        raise asyncio.CancelledError
    await asyncio.sleep(seconds)
