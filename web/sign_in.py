"""The tokens of the demo users, for GraphiQL and the demo app. Development only.

Only pages of this machine get the tokens: those at `localhost` or at an IP address.
"""

import ipaddress
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response


@dataclass(frozen=True, slots=True)
class DevelopmentUser:
    """A demo user whom a developer can choose to sign in as. `token` is a bearer token without the word "Bearer"."""

    handle: str
    display_name: str
    token: str


DevelopmentUsers = Callable[[str | None], Awaitable[list[DevelopmentUser]]]
"""Returns all demo users. With a handle, returns only the user with this handle, or an empty list."""


def session(development_users: DevelopmentUsers, *, has_switch: bool) -> Callable[[Request], Awaitable[Response]]:
    """Returns the handler of `/graphiql/session`. It answers with JSON: all development users or, with
    `?user=<handle>`, only this user; and whether this browser can use a failure switch (web/stores.py). It answers
    with status 403 to pages of other sites.
    """

    async def answer(request: Request) -> Response:
        if not is_own_page(request):
            return Response(status_code=403)
        users = [
            {"handle": user.handle, "displayName": user.display_name, "token": user.token}
            for user in await development_users(request.query_params.get("user"))
        ]
        body = {"users": users, "hasSwitch": has_switch and is_local(request)}
        return JSONResponse(body, headers={"Cache-Control": "no-store"})

    return answer


def is_own_page(request: Request) -> bool:
    """Returns whether a request is from a page that this server has served at `localhost` or at an IP address, or from
    a program that is no browser.

    A script of another site must not read tokens or stop stores, even if CORS allows that site. Some clients do not
    send the header Sec-Fetch-Site, but every browser that can run such a script sends it.
    """
    fetched = request.headers.get("Sec-Fetch-Site", "none")
    return _is_of_this_machine(request.headers.get("Host", "")) and fetched in {"same-origin", "none"}


def is_local(request: Request) -> bool:
    """Returns whether a request comes from this machine."""
    return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback


def _is_of_this_machine(host: str) -> bool:
    """Returns whether a Host header names `localhost` or an IP address, and not the name of a site.

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
