"""A system with lenient moderation, and a receiver of webhooks."""

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.support.external_reviewer import Server
from tests.support.fixtures import system
from tests.support.webhooks import receiver

__all__ = ["system"]


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    """Yields a server that accepts all requests."""
    async with receiver() as one:
        yield one
