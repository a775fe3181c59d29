"""Runs several awaitables of which one may fail."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def gather_all(*awaitables: Awaitable[T]) -> Sequence[T]:
    """Returns the results of all awaitables. Raises the first failure, but only after all have ended, so that none of
    them still runs when the caller retries.
    """
    ends = await asyncio.gather(*awaitables, return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return [end for end in ends if not isinstance(end, BaseException)]
