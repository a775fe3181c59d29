"""A system whose local cache keeps every value that is read ten times."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from settings import Settings
from store.cache.local import ONE_IN, LocalCache
from tests.loaders.hot_reads import READS, SECONDS
from tests.support.clocks import ManualClock
from tests.support.system import LENIENT, System, running


@pytest.fixture
def redis_mode() -> str:
    """Returns `standalone`, because the local cache does not depend on the Redis topology."""
    return "standalone"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], clock: ManualClock) -> AsyncIterator[System]:
    """Yields a system with a low threshold for hot keys and a local cache on the tests' clock. Reads are counted."""
    async with running(make_settings(moderation=LENIENT)) as system:
        system.state.cache.local = LocalCache(SECONDS, READS * ONE_IN, clock, lambda: 0.0)
        yield system
