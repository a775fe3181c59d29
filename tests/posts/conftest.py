"""A system whose moderation leaves alone what tests publish quickly; those of moderation ask for another."""

from collections.abc import AsyncIterator, Callable

import pytest_asyncio

from settings import ModerationSettings, Settings
from tests.system import System, running

LENIENT = ModerationSettings(new_account=0, same_text=1000, same_text_waits=1000, traces=1000)


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """A running application over empty stores."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0)) as one:
        yield one
