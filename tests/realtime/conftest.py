from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from settings import Settings
from tests.realtime.clients import Live, eventually, serving


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """A server on a port. After every test nothing may be left of those who were connected."""
    async with serving(make_settings(port=0)) as one:
        yield one
        await eventually(lambda: one.seats == 0)
        await eventually(lambda: one.state.events.channels == 0)
