"""Repeats calls while a store is down, so that a short outage does not end an import."""

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
    """Calls `call` again and again while it raises PostgresDown or RedisDown, for a minute. Returns what it returns.
    The call may have taken effect although it raises.
    """
    began = time.monotonic()
    while True:
        try:
            return await call()
        except (PostgresDown, RedisDown) as error:
            if time.monotonic() - began > _PATIENCE:
                raise
            await rest(0.0 if isinstance(error, Deadlock) else _PAUSE)
