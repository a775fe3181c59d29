"""A system whose businesses have kinds of reactions."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from settings import Settings
from tests.support.reactions import written
from tests.support.system import LENIENT, System, running


@pytest.fixture
async def system(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[System]:
    """The application with the businesses file of `tests.support.reactions`."""
    settings = make_settings(businesses_file=written(tmp_path), moderation=LENIENT)
    async with running(settings) as system:
        yield system
