from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser

from runner.ports import free_port
from settings import ModerationSettings, Settings
from tests.support.browser import launched
from tests.support.demo import community
from tests.support.deployment import ROOT
from tests.support.fixtures import file_store
from tests.support.graphiql import alice_and_bob, browse
from tests.support.subscriptions import Live, serving
from web.demo import MANIFEST

__all__ = ["file_store"]


@pytest_asyncio.fixture(scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with launched() as browser:
        yield browser


@pytest_asyncio.fixture
async def live(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Serves the demo app with a small community."""
    async with community(make_settings) as live:
        yield live


@pytest_asyncio.fixture
async def seeded(make_settings: Callable[..., Settings]) -> AsyncIterator[Live]:
    """Serves the demo app with the demo data."""
    changes: dict[str, Any] = {"persisted_manifests": (MANIFEST,), "moderation": ModerationSettings(new_account=0)}
    settings = make_settings(port=free_port(), businesses_file=ROOT / "businesses.toml", **changes)
    async with serving(settings) as live:
        await live.seed()
        await live.drain()
        yield live


@pytest.fixture
async def development() -> AsyncIterator[httpx.AsyncClient]:
    async with browse(alice_and_bob) as client:
        yield client


@pytest.fixture
async def production() -> AsyncIterator[httpx.AsyncClient]:
    async with browse(None) as client:
        yield client
