"""The demo app, which is served in development only. `web/app` has its source; `npm run build` writes its files."""

from pathlib import Path

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from dependencies.starlette import answer_404
from web.files import FOREVER, REVALIDATE, Assets
from web.policy import app_headers

_FILES = Path(__file__).parent / "app" / "dist"
MANIFEST = _FILES / "persisted-documents.json"
"""The file with the GraphQL operations that the app sends."""

# Posts may show images of any host. Images of the demo data are at 127.0.0.1, also if the page is at localhost. The
# form for a new post shows files, at blob: URLs, before they are uploaded.
_IMAGE_SOURCES = ("https:", "http://127.0.0.1:*", "blob:")

# The paths of src/main.tsx. All have the same page, which reads the path.
_PAGES = (
    "/",
    "/square",
    "/search",
    "/topics",
    "/topics/{name}",
    "/posts/{id}",
    "/entities/{id}",
    "/users/{handle}",
    "/account",
    "/settings",
    "/boundaries",
    "/filters",
    "/notifications",
    "/favourites",
    "/collections/{id}",
    "/sign-in",
)


def demo_routes() -> list[BaseRoute]:
    """Returns the routes of the demo app: its pages, and its files under `/app`."""
    return [
        Mount("/app", GZipMiddleware(Assets(_FILES / "app", cache_control=FOREVER))),
        Route("/icon.svg", _icon),
        *(Route(path, _page) for path in _PAGES),
    ]


async def _page(request: Request, status: int = 200) -> Response:
    state = getattr(request.app.state, "plaudit", None)  # absent until the application has started
    uploads = state and state.settings.images.uploads
    headers = app_headers(_IMAGE_SOURCES, [uploads.endpoint] if uploads else ())
    return FileResponse(_FILES / "index.html", status, headers=headers)


async def not_found(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers a request to a path without a route with status 404. A GET or HEAD of a browser gets the page of the app,
    any other request gets Starlette's own answer.
    """
    reads = scope["type"] == "http" and scope["method"] in {"GET", "HEAD"}
    if reads and "text/html" in Request(scope).headers.get("accept", ""):
        response = await _page(Request(scope), 404)
        await response(scope, receive, send)
    else:
        await answer_404(scope, receive, send)


async def _icon(_: Request) -> Response:
    return FileResponse(_FILES / "icon.svg", headers={"Cache-Control": REVALIDATE})
