"""A system in which one person writes much, and a few words are looked at."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest_asyncio

from settings import Settings
from tests.features.read_your_writes.list_readers import ListReaders
from tests.support.system import LENIENT, LIMITLESS, running


@pytest_asyncio.fixture
async def readers(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[ListReaders]:
    """Alice and the others, with something to act on; everything so far is published."""
    words = tmp_path / "words.txt"
    words.write_text("review: dubious\n")
    moderation = LENIENT.model_copy(update={"words_file": words})
    async with running(make_settings(moderation=moderation, local_cache_seconds=0, limits=LIMITLESS)) as system:
        one = ListReaders(system)
        await one.begin()
        yield one
