"""Fixtures of the tests of exports."""

from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from settings import Settings
from tests.support.fixtures import system
from tests.support.subscriptions import Live, serving

__all__ = ["live", "system"]


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Starts a server on a port. Tests store many rows in one statement, which may take long on a busy machine."""
    async with serving(make_settings(port=0, database_timeout=20.0)) as one:
        yield one
