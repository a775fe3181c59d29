from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.applications import Starlette

from web.routes import DevelopmentUser, DevelopmentUsers, graphiql_routes


@asynccontextmanager
async def browse(development_users: DevelopmentUsers | None) -> AsyncIterator[httpx.AsyncClient]:
    app = Starlette(routes=graphiql_routes(development_users=development_users))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost:8000") as client:
        yield client


async def alice_and_bob() -> list[DevelopmentUser]:
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
