"""Repeats a call to a store that is down, so that a short outage does not end an import."""

import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from store.backoff import rest
from store.postgres.client import Deadlock, PostgresDown
from store.redis.client import RedisDown

T = TypeVar("T")
_PATIENCE = 60.0
"""Seconds for which a call is repeated."""
_PAUSE = 0.5


async def patiently(call: Callable[[], Awaitable[T]]) -> T:
    """Returns what `call` returns. If it raises PostgresDown or RedisDown, calls it again, for up to a minute, and then
    raises the exception. A call that raises may have written something, so `call` must be safe to repeat.
    """
    began = time.monotonic()
    while True:
        try:
            return await call()
        except (PostgresDown, RedisDown) as error:
            if time.monotonic() - began > _PATIENCE:
                raise
            await rest(0.0 if isinstance(error, Deadlock) else _PAUSE)
