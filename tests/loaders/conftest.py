"""A system that keeps copies of what it is asked for ten times."""

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
    """How Redis is spread has no part in any of this."""
    return "standalone"


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings], clock: ManualClock) -> AsyncIterator[System]:
    """Where little makes hot, all asked for alone is counted, and time stands still in the process's own copies."""
    async with running(make_settings(moderation=LENIENT)) as one:
        one.state.cache.local = LocalCache(SECONDS, READS * ONE_IN, clock, lambda: 0.0)
        yield one
