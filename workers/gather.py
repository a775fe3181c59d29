"""Waiting for several things of which one may fail."""

import asyncio
from collections.abc import Awaitable, Sequence
from typing import TypeVar

T = TypeVar("T")


async def gather_all(*awaitables: Awaitable[T]) -> Sequence[T]:
    """What all of them give. Raises the first failure once all have ended: nothing goes on behind a retry's back."""
    ends = await asyncio.gather(*awaitables, return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException):
            raise end
    return [end for end in ends if not isinstance(end, BaseException)]
