"""Fixture: a cache over the test's Redis, with a clock that stands still."""

from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from settings import Settings
from store.cache.local import LocalCache
from store.cache.values import Cache
from store.redis import client as redis
from tests.store.cache.cached_lists import NOW


@pytest_asyncio.fixture
async def cache(make_settings: Callable[..., Settings]) -> AsyncIterator[Cache]:
    settings = make_settings()
    client = redis.connect(settings.redis_url, settings)
    yield Cache(client, lambda: NOW >> 10, LocalCache(0, 1))
    await client.close()
