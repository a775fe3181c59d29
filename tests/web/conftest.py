from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
import pytest_asyncio
from playwright.async_api import Browser
from starlette.applications import Starlette

from runner.ports import free_port
from settings import ModerationSettings, Settings
from tests.support.browser import launched
from tests.support.demo import community
from tests.support.deployment import ROOT
from tests.support.fixtures import file_store
from tests.support.subscriptions import Live, serving
from web.demo import MANIFEST
from web.graphiql import graphiql_routes
from web.sign_in import DevelopmentUser, DevelopmentUsers

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


@asynccontextmanager
async def browse(
    development_users: DevelopmentUsers | None, address: str = "127.0.0.1"
) -> AsyncIterator[httpx.AsyncClient]:
    app = Starlette(routes=graphiql_routes(development_users=development_users))
    transport = httpx.ASGITransport(app, client=(address, 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost:8000") as client:
        yield client


async def alice_and_bob(handle: str | None) -> list[DevelopmentUser]:
    """Offers alice and bob. Also knows carol."""
    if handle is not None:
        carol = DevelopmentUser(handle="carol", display_name="Carol Chen", token="token-of-carol")
        return [carol] if handle == "carol" else []
    return [
        DevelopmentUser(handle="alice", display_name="Alice Adler", token="token-of-alice"),
        DevelopmentUser(handle="bob", display_name="Bob Baker", token="token-of-bob"),
    ]


@pytest.fixture
async def development() -> AsyncIterator[httpx.AsyncClient]:
    async with browse(alice_and_bob) as client:
        yield client


@pytest.fixture
async def production() -> AsyncIterator[httpx.AsyncClient]:
    async with browse(None) as client:
        yield client
