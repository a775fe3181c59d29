"""A system with an external reviewer that answers `later`."""

from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from settings import Settings
from tests.support.external_reviewer import Server, json_response, listening, with_reviewer
from tests.support.system import System, running


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    async with listening() as one:
        one.answer = json_response({"decision": "later"})
        yield one


@pytest_asyncio.fixture
async def reviewed(make_settings: Callable[..., Settings], server: Server) -> AsyncIterator[System]:
    """Yields a system whose reviewer decides later."""
    async with running(make_settings(moderation=with_reviewer(server), local_cache_seconds=0)) as system:
        yield system
