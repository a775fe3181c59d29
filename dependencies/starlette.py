"""Undocumented attributes of Starlette: how its router answers a path that no route has.

**What.** The attributes `redirect_slashes`, `default` and `not_found` of the router of an application.

**Why.** `Starlette` takes no argument for them. A redirect to the path with or without a slash would repeat the Host
header, which clients can forge. In development, browsers get the demo app for a path that no route has.

**Test.** tests/dependencies/test_starlette.py asks an application for such paths.

**Upgrade.** Read the class `Router` in `starlette/routing.py`. To do without: put the routes of app.py into a
`Router(routes, redirect_slashes=False, default=…)` of our own.
"""

from starlette.applications import Starlette
from starlette.types import ASGIApp, Receive, Scope, Send


def never_redirect(app: Starlette) -> None:
    """Lets the application answer 404, not a redirect, for a path that differs from that of a route only by a slash at
    the end.
    """
    app.router.redirect_slashes = False


def set_fallback(app: Starlette, fallback: ASGIApp) -> None:
    """Lets `fallback` answer the requests for paths that no route has."""
    app.router.default = fallback


async def answer_404(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers a request with 404, as an application without a fallback does for a path that no route has."""
    await scope["app"].router.not_found(scope, receive, send)
