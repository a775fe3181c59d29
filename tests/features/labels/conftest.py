"""A system with labels, whose tokens state age bands."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from settings import Settings
from tests.support.labels import CLAIMS, with_labels
from tests.support.system import LENIENT, System, running


@pytest.fixture
async def system(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[System]:
    """The application with the labels of `tests.support.labels`."""
    settings = make_settings(businesses_file=with_labels(tmp_path), jwt_claims=CLAIMS, moderation=LENIENT)
    async with running(settings) as system:
        yield system
