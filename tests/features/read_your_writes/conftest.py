"""A system without limits, in which one word needs review."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest_asyncio

from settings import Settings
from tests.features.read_your_writes.list_readers import ListReaders
from tests.support.system import LENIENT, LIMITLESS, running


@pytest_asyncio.fixture
async def readers(make_settings: Callable[..., Settings], tmp_path: Path) -> AsyncIterator[ListReaders]:
    """Yields the readers of lists, with targets for Alice's actions. All earlier changes are published."""
    words = tmp_path / "words.txt"
    words.write_text("review: dubious\n")
    moderation = LENIENT.model_copy(update={"words_file": words})
    async with running(make_settings(moderation=moderation, local_cache_seconds=0, limits=LIMITLESS)) as system:
        readers = ListReaders(system)
        await readers.begin()
        yield readers
