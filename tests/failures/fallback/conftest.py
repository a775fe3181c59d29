"""Fixture: a system whose Redis a test can stop."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest_asyncio

from runner.valkey import Valkey
from settings import Settings
from tests.support.system import System, running


@pytest_asyncio.fixture
async def apart(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[tuple[System, Valkey]]:
    """Returns a system with its own Redis, and the server."""
    with Valkey(tmp_path / "redis") as redis:
        async with running(make_settings(redis_url=redis.url)) as system:
            yield system, redis
