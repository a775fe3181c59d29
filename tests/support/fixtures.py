"""Fixtures that several folders use. A conftest.py imports those that its folder needs."""

from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from settings import Settings
from tests.support.subscriptions import Live, eventually, serving
from tests.support.system import LENIENT, System, running


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Starts the application over empty stores, with lenient moderation and no local cache."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0)) as one:
        yield one


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Starts a server on a port. After every test no connection and no channel may be left."""
    async with serving(make_settings(port=0)) as one:
        yield one
        await eventually(lambda: one.connection_count == 0)
        await eventually(lambda: one.state.events.channels == 0)
