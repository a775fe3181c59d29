"""Runs several awaitables at the same time, and waits for all of them even if one fails."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def gather_all(*awaitables: Awaitable[T]) -> Sequence[T]:
    """Returns the results of all awaitables. If some fail, raises the first failure after all have ended, so that none
    of them still runs when the caller retries.
    """
    return results_of(await asyncio.gather(*awaitables, return_exceptions=True))


def results_of(ends: Sequence[T | BaseException]) -> Sequence[T]:
    """Returns the results of awaitables that have all ended. `ends` has the result or the exception of each. Raises the
    first exception among them.
    """
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return [end for end in ends if not isinstance(end, BaseException)]
