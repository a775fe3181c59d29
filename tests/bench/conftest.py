from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from bench.machine import Machine, machine, stores
from settings import Settings
from tests.bench.tiny import TINY


@pytest.fixture(scope="module")
def private_stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Settings]]:
    home = tmp_path_factory.mktemp("bench")
    with stores(home) as settings:
        # The local cache is off, because its hits would depend on time.
        yield home, settings.model_copy(update={"local_cache_seconds": 0.0})


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def tiny(private_stores: tuple[Path, Settings]) -> AsyncIterator[Machine]:
    async with machine(*private_stores, TINY) as one:
        yield one
