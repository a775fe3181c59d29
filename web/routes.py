"""The routes of GraphiQL: the page, its assets and, in development only, the tokens of the demo users.

All scripts, styles and images of the page come from this origin. The Content-Security-Policy forbids inline scripts
and `eval`.
"""

import ipaddress
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from string import Template
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from web.files import FOREVER, REVALIDATE, Assets
from web.policy import page_headers

_HERE = Path(__file__).parent

# Relative, so that a proxy may add a path prefix.
_USERS_FROM_PAGE = "graphiql/session"


@dataclass(frozen=True, slots=True)
class DevelopmentUser:
    """A user in the user picker of the page. `token` is a bearer token without the word "Bearer"."""

    handle: str
    display_name: str
    token: str


DevelopmentUsers = Callable[[str | None], Awaitable[list[DevelopmentUser]]]
"""Returns the users of the list on a page. With a handle: the user with this handle; an empty list if it is unknown."""


def graphiql_routes(*, development_users: DevelopmentUsers | None) -> list[BaseRoute]:
    """Returns the routes `/graphiql` and `/graphiql/assets/…`.

    Pass `development_users` in development only. It adds a route: `/graphiql/session` returns the users' tokens to a
    page at `localhost` or at an IP address. With `?user=<handle>` it returns this user only.
    """
    routes: list[BaseRoute] = [
        Route("/graphiql", _page(users_url=_USERS_FROM_PAGE if development_users else "")),
        Mount("/graphiql/assets/vendor", Assets(_HERE / "vendor", cache_control=FOREVER)),
        Mount("/graphiql/assets", Assets(_HERE / "assets", cache_control=REVALIDATE)),
    ]
    if development_users:
        routes.append(Route("/graphiql/session", _session(development_users)))
    return routes


RouteHandler = Callable[[Request], Awaitable[Response]]


def _page(*, users_url: str) -> RouteHandler:
    template = Template((_HERE / "graphiql.html").read_text(encoding="utf-8"))

    async def page(_: Request) -> Response:
        nonce = token_urlsafe(16)
        return HTMLResponse(template.substitute(nonce=nonce, users=users_url), headers=page_headers(nonce))

    return page


def _is_of_this_machine(host: str) -> bool:
    """Returns whether a Host header names `localhost` or an IP address.

    Another site can make its own name resolve to this machine (DNS rebinding). Browsers then treat this server as part
    of that site, but send the site's name in the Host header.
    """
    with suppress(ValueError):
        name = urlsplit(f"//{host}").hostname or ""
        if name == "localhost" or name.endswith(".localhost"):
            return True
        ipaddress.ip_address(name)
        return True
    return False


def _session(development_users: DevelopmentUsers) -> RouteHandler:
    async def session(request: Request) -> Response:
        if not _is_of_this_machine(request.headers.get("Host", "")):
            return Response(status_code=403)
        # A script of another site must not read these tokens, even if CORS allows that site. Some clients do not send
        # this header, but every browser that can run such a script sends it.
        if request.headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"}:
            return Response(status_code=403)
        users = [
            {"handle": user.handle, "displayName": user.display_name, "token": user.token}
            for user in await development_users(request.query_params.get("user"))
        ]
        return JSONResponse({"users": users}, headers={"Cache-Control": "no-store"})

    return session
