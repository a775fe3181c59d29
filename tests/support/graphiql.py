"""GraphiQL and its session in development, without an API."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
from starlette.applications import Starlette

from web.graphiql import graphiql_routes
from web.sign_in import DevelopmentUser, DevelopmentUsers


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
