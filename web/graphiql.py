"""The routes of GraphiQL: the page, its assets and, in development only, the tokens of the demo users.

All scripts, styles and images of the page come from this origin. The Content-Security-Policy forbids inline scripts
and `eval`.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from secrets import token_urlsafe
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from web.files import FOREVER, REVALIDATE, Assets
from web.policy import page_headers
from web.sign_in import DevelopmentUsers, session
from web.stores import store_routes, switch_url

_HERE = Path(__file__).parent

# Relative, so that a proxy may add a path prefix.
_USERS_FROM_PAGE = "graphiql/session"


def graphiql_routes(*, development_users: DevelopmentUsers | None) -> list[BaseRoute]:
    """Returns the routes `/graphiql` and `/graphiql/assets/…`.

    Pass `development_users` in development only. It adds the route `/graphiql/session`, which returns the users' tokens
    to a page at `localhost` or at an IP address. With `?user=<handle>` the route returns this user only. If `plaudit
    dev` runs this process, there are also the routes of its failure switch.
    """
    routes: list[BaseRoute] = [
        Route("/graphiql", _page(users_url=_USERS_FROM_PAGE if development_users else "")),
        Mount("/graphiql/assets/vendor", Assets(_HERE / "vendor", cache_control=FOREVER)),
        Mount("/graphiql/assets", Assets(_HERE / "assets", cache_control=REVALIDATE)),
    ]
    if development_users:
        switch = switch_url()
        routes.append(Route("/graphiql/session", session(development_users, has_switch=switch is not None)))
        routes += store_routes(switch) if switch else []
    return routes


RouteHandler = Callable[[Request], Awaitable[Response]]


def _page(*, users_url: str) -> RouteHandler:
    template = Template((_HERE / "graphiql.html").read_text(encoding="utf-8"))

    async def page(_: Request) -> Response:
        nonce = token_urlsafe(16)
        return HTMLResponse(template.substitute(nonce=nonce, users=users_url), headers=page_headers(nonce))

    return page
