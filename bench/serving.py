"""The parts that the hand-written servers share: the sign-in, which works as in Plaudit, and the HTTP server."""

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
    """Verifies tokens in the same way as Plaudit, and caches the ids of users."""

    def __init__(self, settings: Settings, pool: asyncpg.Pool) -> None:
        self._verifier = Verifier(settings)
        self._pool = pool
        self._seen: dict[tuple[str, str], int] = {}

    async def user_of(self, request: Request) -> int:
        """Returns the id of the user whose token is in the request. Fails if the token is not valid."""
        claims = await self._verifier.verify(request.headers["authorization"].removeprefix("Bearer "))
        identity = (claims.issuer, claims.subject)
        if identity not in self._seen:
            self._seen[identity] = await self._pool.fetchval(_IDENTITY, *identity)
        return self._seen[identity]


def serve(make: Callable[[Settings, asyncpg.Pool], Endpoint]) -> None:
    """Serves the endpoint that `make` returns at /graphql, with the HTTP server and options of the API,
    in one process.
    """
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
    """Returns a pool of Postgres connections with the size and settings of Plaudit's pool. Await it to connect."""
    return asyncpg.create_pool(
        settings.database_url,
        min_size=settings.database_connections,
        max_size=settings.database_connections,
        server_settings={"jit": "off"},
    )


async def _alive(_: Request) -> Response:
    """Answers the requests with which the benchmark finds out whether the server runs."""
    return Response()
