"""The ASGI application: its routes, and the objects that its handlers share."""

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing, asynccontextmanager
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket

import checks
from api import notice_form
from api.cors import Cors
from api.execute import GraphQLService
from api.exports import ExportEndpoint
from api.headers import VARY, Headers
from api.health import drained, site, unready
from api.image_verification import verify_image
from api.notice_form import NoticeForm
from api.persisted.operations import PersistedOperations
from api.review_callback import receive_review
from api.transports import overload
from api.transports.connections import RESPOND, Connections, Responder
from api.transports.http import HttpEndpoint, HttpRequest
from api.transports.sse import SseEndpoint
from api.transports.streaming_limits import StreamingLimits
from api.transports.websocket import WebSocketEndpoint
from checks.reasons import reason
from commands.persisted.manifests import ManifestError
from dependencies.starlette import never_redirect, set_fallback
from domain.exports import PATH
from domain.ids import wall_clock_ms
from identity import auth
from identity.auth import Verifier
from identity.permissions import MODERATE
from loaders.shared import SharedLoaders
from observability import metrics, tracing
from observability.logs import Log
from settings import Settings
from state import State, opened

log = Log(__name__)


def create_app(settings: Settings, now_ms: Callable[[], int] = wall_clock_ms) -> Starlette:
    """Returns the ASGI application for these settings.

    The application connects to the stores when it starts, and disconnects when it stops. In production, it does not
    start if a check finds that data could be lost.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await checks.refuse_unsafe_start(settings)
        if settings.cors_pattern:
            log.info("browsers may call this API from pages of localhost and 127.0.0.1, on any port")
        with tracing.running("api", settings.tracing):
            metrics.describe_process("api")
            async with opened(settings, "api", now_ms) as state:
                await _prepare(app, state)
                with metrics.served(settings.host, settings.metrics_port):
                    async with app.state.persisted.kept(), aclosing(app.state.service):
                        yield

    has_pages = settings.cors_origins or settings.cors_pattern
    middleware = [_cors(settings)] if has_pages else []
    app = _Application(routes=_routes(settings), lifespan=lifespan, middleware=middleware)
    app.state.vary = f"{VARY}, Origin" if has_pages else VARY  # the middleware adds it, too
    never_redirect(app)  # a redirect would repeat the Host header, which clients can forge
    if _has_demo(settings):
        from web.demo import not_found

        set_fallback(app, not_found)
    app.state.stopping = False
    return app


async def _prepare(app: Starlette, state: State) -> None:
    """Makes the objects that the handlers share, such as the service and the endpoints, and stores them in `app.state`,
    before the process serves requests. Raises Misconfigured if a manifest of persisted operations is invalid.
    """
    shared = app.state
    shared.plaudit = state
    shared.persisted = PersistedOperations(state)
    try:
        await shared.persisted.load()
    except ManifestError as error:
        raise checks.Misconfigured(f"PLAUDIT_PERSISTED_MANIFESTS: {error}") from None
    shared.service = GraphQLService(state, SharedLoaders(state), Verifier(state.settings), shared.persisted)
    shared.service.prepare(shared.persisted.trusted.operations)
    shared.connections = Connections(state.settings)
    shared.streaming_limits = StreamingLimits(state.settings)
    shared.endpoint = HttpEndpoint(shared.service)
    shared.streams = SseEndpoint(shared.service, shared.streaming_limits)
    shared.notices = NoticeForm(state, shared.service)
    shared.exports = ExportEndpoint(state, shared.service, shared.streaming_limits.stopping)
    shared.sockets = WebSocketEndpoint(shared.service, shared.streaming_limits)


def _routes(settings: Settings) -> list[BaseRoute]:
    return [
        Route("/graphql", _GraphQL()),
        WebSocketRoute("/graphql", _graphql_socket),
        Route("/livez", _livez),
        Route("/readyz", _readyz),
        *([Route("/metrics", _metrics)] if settings.env == "development" else []),
        Route("/media/verify", _media_verify),
        Route(PATH + "{link}", _export),
        *([Route("/reviews", _review, methods=["POST"])] if settings.moderation.reviewer else []),
        *([Route(notice_form.PATH, _notice, methods=["GET", "POST"])] if settings.moderation.notices.form else []),
        *(_demo_routes() if settings.demo_url else []),
        *(_console_routes(settings) if settings.moderation_console else []),
        *(_graphiql_routes(settings) if settings.shows_graphiql else []),
    ]


def _cors(settings: Settings) -> Middleware:
    return Middleware(
        Cors,
        allow_origins=list(settings.cors_origins),
        allow_origin_regex=settings.cors_pattern,
        allow_methods=["GET", "POST"],
        allow_headers=list(settings.cors_headers),
        expose_headers=["retry-after", *(f"x-ratelimit-{name}" for name in ("limit", "remaining", "reset", "budget"))],
        max_age=3600,
    )


class _Application(Starlette):
    """The ASGI application. It answers requests to `/graphql` itself, because Starlette's middleware and routing would
    take a tenth of the time of a small request. Requests with an Origin header go through Starlette, because browsers
    of another origin need its CORS middleware.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or serves one WebSocket or the lifespan of the process."""
        if scope["type"] == "http" and scope["path"] == "/graphql" and b"origin" not in dict(scope["headers"]):
            scope["app"] = self
            respond = scope.get("extensions", {}).get(RESPOND, {}).get(RESPOND)
            await _graphql(scope, receive, send, self.state.vary, respond)
        elif scope["type"] == "lifespan":
            await super().__call__(scope, receive, _reporting(send))
        else:
            await super().__call__(scope, receive, send)


def _reporting(send: Send) -> Send:
    """Returns a function that sends the messages of startup and shutdown through `send`. If the start has failed for a
    reason that operators can mend, the function sends this reason in place of the traceback.
    """

    async def reported(message: Message) -> None:
        error = sys.exc_info()[1]
        if message["type"] == "lifespan.startup.failed" and isinstance(error, Exception) and (why := reason(error)):
            message = {**message, "message": why}
        await send(message)

    return reported


class _GraphQL:
    """The route of `/graphql`. A class, because Starlette allows only GET and HEAD for a function."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await _graphql(scope, receive, send, VARY, None)


async def _graphql(scope: Scope, receive: Receive, send: Send, vary: str, respond: Responder | None) -> None:
    """Answers a request to `/graphql`. If `respond` is not None, tries to write the response with it at once, without
    ASGI messages. `vary` names the headers on which the response depends.
    """
    state = scope["app"].state
    if state.endpoint.is_full:  # refused before anything is read, so that a refusal costs almost nothing
        await overload.refuse(send)
        return
    request = HttpRequest(scope, receive)
    if request.accepted.stream:
        response = await state.streams(request)
        await response(scope, receive, send)
    else:
        answer = await state.endpoint(request, vary)
        if respond is None or not respond(answer):
            await answer.send(send)


async def _graphql_socket(websocket: WebSocket) -> None:
    sockets: WebSocketEndpoint = websocket.app.state.sockets
    await sockets(websocket)


async def _livez(_: Request) -> Response:
    """Answers 200 while the process runs. `/readyz` says whether the process can serve requests."""
    return JSONResponse({"status": "ok"})


async def _readyz(request: Request) -> Response:
    """Answers 200 if the process can serve requests (api/health.py) and is not stopping, otherwise 503 with the
    reasons. Also 503 if the site is drained, but not for `/readyz?forwarded`: the other site still forwards requests.
    If there are two sites, also says how this one is.
    """
    state: State = request.app.state.plaudit
    problems = ["the process is stopping"] if request.app.state.stopping else await unready(state)
    if "forwarded" not in request.query_params and await drained(state):
        problems.append("the site is drained")
    body: dict[str, Any] = {"status": "unready" if problems else "ok", "problems": problems}
    if state.other_site:
        caller = request.client.host if request.client else None
        body["site"] = await site(state, caller, with_promotion="promotion" in request.query_params)
    return JSONResponse(body, 503 if problems else 200)


async def _metrics(_: Request) -> Response:
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)


async def _media_verify(request: Request) -> Response:
    """Answers 204 if a signed image URL is valid now, else 403."""
    state: State = request.app.state.plaudit
    return verify_image(state.images, request.headers, state.now_ms())


async def _export(request: Request) -> Response:
    """Answers a request to download an export of an account (api/exports.py)."""
    exports: ExportEndpoint = request.app.state.exports
    ip = request.client.host if request.client else None
    return await exports(request.method, request.path_params["link"], ip)


async def _review(request: Request) -> Response:
    """Answers a request with a decision that the external reviewer had postponed (api/review_callback.py)."""
    shared = request.app.state
    state: State = shared.plaudit
    assert state.settings.moderation.reviewer is not None  # without it, there is no route
    headers = Headers(request.scope["headers"])
    return await receive_review(state, shared.service, state.settings.moderation.reviewer, headers, request.receive)


async def _notice(request: Request) -> Response:
    """Answers a request for the form for notices, or one that sends it (api/notice_form.py)."""
    notices: NoticeForm = request.app.state.notices
    headers = Headers(request.scope["headers"])
    ip = request.client.host if request.client else None
    if request.method == "POST":
        return await notices.receive(headers, request.receive, ip)
    return await notices.show(headers, request.scope["query_string"].decode(errors="replace"), ip)


def _demo_routes() -> list[BaseRoute]:
    from seed.pictures import demo_route

    return [demo_route(lambda request: request.app.state.plaudit.images)]


def _console_routes(settings: Settings) -> list[BaseRoute]:
    from web.console import console_routes

    images = [f"https://{host}" for host in settings.image_hosts]
    if settings.env == "development":
        images += ["http://127.0.0.1:*", "http://localhost:*"]  # also has the images of the demo data
    moderation = settings.moderation
    return console_routes(sign_in_url=moderation.sign_in_url, sign_in=moderation.sign_in, image_sources=images)


def _graphiql_routes(settings: Settings) -> list[BaseRoute]:
    """Returns the routes of GraphiQL and, in development, those of the demo app. In development, people can sign in
    there as a user of the demo data or as a moderator, with a token that this process makes.
    """
    from seed.people import NAMED, names_by_handle
    from web.demo import demo_routes
    from web.graphiql import graphiql_routes
    from web.sign_in import DevelopmentUser

    async def users(handle: str | None) -> list[DevelopmentUser]:
        if handle is not None:
            name = names_by_handle().get(handle)
            return [DevelopmentUser(handle, name, auth.mint(settings, handle, name=name))] if name else []
        moderator = auth.mint(settings, "moderator", name="Moderator", scopes=(MODERATE,))
        return [
            *(DevelopmentUser(handle, name, auth.mint(settings, handle, name=name)) for handle, name in NAMED),
            DevelopmentUser("moderator", "Moderator", moderator),
        ]

    has_demo = _has_demo(settings)
    return [*graphiql_routes(development_users=users if has_demo else None), *(demo_routes() if has_demo else [])]


def _has_demo(settings: Settings) -> bool:
    return settings.shows_graphiql and settings.env == "development" and settings.jwt_secret is not None
