"""Fixture: a system whose Redis a test can stop."""

from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from runner.valkey import Valkey
from settings import Settings
from tests.support.system import System, running


@pytest_asyncio.fixture
async def apart(
    make_settings: Callable[..., Settings], two_redis: tuple[Valkey, Valkey]
) -> AsyncIterator[tuple[System, Valkey]]:
    """Returns a system with its own Redis, and the server."""
    redis, _ = two_redis
    async with running(make_settings(redis_url=redis.url, redis_timeout=1.0)) as system:
        yield system, redis
