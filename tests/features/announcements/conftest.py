"""A system with businesses whose entities come into feeds."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from settings import Settings
from tests.features.announcements.recipes import BUSINESSES
from tests.support.system import LENIENT, System, running


@pytest.fixture
def in_feeds(make_settings: Callable[..., Settings], tmp_path: Path) -> Settings:
    """Returns settings with lenient moderation, no local cache, and businesses whose entities come into feeds."""
    file = tmp_path / "businesses.toml"
    file.write_text(BUSINESSES)
    return make_settings(moderation=LENIENT, local_cache_seconds=0, businesses_file=file)


@pytest_asyncio.fixture
async def system(in_feeds: Settings) -> AsyncIterator[System]:
    """Starts the application over empty stores."""
    async with running(in_feeds) as one:
        yield one
