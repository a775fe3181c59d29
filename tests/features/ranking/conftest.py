"""A system with lenient moderation, so that tests can publish quickly."""

from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from settings import Settings
from tests.support.system import LENIENT, System, running


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Yields a system whose cached lists are so short that tests read past their ends."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, caches={"posts": 100})) as system:
        yield system
