"""The common parts of the hand-written servers: sign-in as in Plaudit, and the HTTP server."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import asyncpg
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from identity.auth import Verifier
from settings import Settings

Endpoint = Callable[[Request], Awaitable[Response]]

_IDENTITY = "SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2"


class SignIn:
    """Verifies tokens as Plaudit does, and caches the ids of users."""

    def __init__(self, settings: Settings, pool: asyncpg.Pool) -> None:
        self._verifier = Verifier(settings)
        self._pool = pool
        self._seen: dict[tuple[str, str], int] = {}

    async def user_of(self, request: Request) -> int:
        """Returns the id of the user whose token is in a request."""
        claims = await self._verifier.verify(request.headers["authorization"].removeprefix("Bearer "))
        identity = (claims.issuer, claims.subject)
        if identity not in self._seen:
            self._seen[identity] = await self._pool.fetchval(_IDENTITY, *identity)
        return self._seen[identity]


def serve(make: Callable[[Settings, asyncpg.Pool], Endpoint]) -> None:
    """Serves the endpoint that `make` returns at /graphql, with the server, options and process count of the API."""
    settings = Settings()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with _pool(settings) as connections:
            app.state.endpoint = make(settings, connections)
            yield

    async def answer(request: Request) -> Response:
        endpoint: Endpoint = request.app.state.endpoint
        return await endpoint(request)

    app = Starlette(routes=[Route("/graphql", answer, methods=["POST"]), Route("/", _alive)], lifespan=lifespan)
    uvicorn.run(app, host=settings.host, port=settings.port, log_config=None, access_log=False, server_header=False)


def _pool(settings: Settings) -> asyncpg.Pool:
    """Returns a Postgres pool with the size and settings of Plaudit's pool. It connects when it is awaited."""
    return asyncpg.create_pool(
        settings.database_url,
        min_size=settings.database_connections,
        max_size=settings.database_connections,
        server_settings={"jit": "off"},
    )


async def _alive(_: Request) -> Response:
    """Answers health checks."""
    return Response()
