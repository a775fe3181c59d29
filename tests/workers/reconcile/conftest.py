"""Fixture: a system whose moderation approves everything that tests write quickly."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from settings import Settings
from tests.support.system import LENIENT, System, running


@pytest.fixture(params=["standalone", pytest.param("cluster", marks=pytest.mark.prove)])
def redis_mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Starts the application over empty stores. Authors with two followers are big accounts."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0, push_follower_limit=2)) as one:
        yield one
