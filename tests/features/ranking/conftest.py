"""A system whose moderation leaves alone what tests publish quickly."""

from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from settings import Settings
from tests.support.system import LENIENT, System, running


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """A running application over empty stores, with lists so short that tests reach their ends."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, cached_posts=100)) as one:
        yield one
