"""Fixtures that several folders use. A conftest.py imports those that its folder needs."""

from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import pytest_asyncio

from settings import ImageSettings, Settings
from tests.support.file_store import FileStore
from tests.support.subscriptions import Live, eventually, serving
from tests.support.system import LENIENT, System, running


@pytest.fixture(scope="session")
def file_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FileStore]:
    """Starts a store of files, once for each test process."""
    with FileStore(tmp_path_factory.mktemp("file-store")) as store:
        yield store


@pytest_asyncio.fixture
async def system(make_settings: Callable[..., Settings]) -> AsyncIterator[System]:
    """Starts the application over empty stores, with lenient moderation and no local cache."""
    async with running(make_settings(moderation=LENIENT, local_cache_seconds=0)) as one:
        yield one


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Starts a server on a port. After every test no connection and no channel may be left."""
    async with serving(make_settings(port=0)) as one:
        yield one
        await eventually(lambda: one.connection_count == 0)
        await eventually(lambda: one.state.events.channels == 0)


@pytest_asyncio.fixture
async def uploading(make_settings: Callable[..., Settings], file_store: FileStore) -> AsyncIterator[System]:
    """Returns a system with uploads, on a single Redis server."""
    images = ImageSettings(hosts=("images.example.com",), uploads=file_store.settings(max_bytes=5000))
    async with running(make_settings(images=images, moderation=LENIENT)) as system:
        yield system
