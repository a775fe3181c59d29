"""The moderation console: its page and its files, all under `/moderation`. `web/app/src/moderation` has its source.

The page reads and writes through `/graphql` with the token of the moderator, as other clients do. No route of this
module needs or checks a token.
"""

from collections.abc import Iterable
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from settings import SignInSettings
from web.files import FOREVER, Assets
from web.policy import app_headers

_FILES = Path(__file__).parent / "app" / "dist" / "moderation"
_PLACE = 'data-sign-in=""'
"""The attribute in the built page that is replaced by attributes that say where moderators sign in."""

# The paths of src/moderation/main.tsx. All have the same page, which reads the path.
_PAGES = (
    "/moderation",
    "/moderation/log",
    "/moderation/transparency",
    "/moderation/users/{id}",
    "/moderation/content/{id}",
)


def console_routes(
    *, sign_in_url: str | None, sign_in: SignInSettings | None, image_sources: Iterable[str]
) -> list[BaseRoute]:
    """Returns the routes of the moderation console. Moderators sign in at the OpenID Connect issuer `sign_in`; or the
    page links to `sign_in_url`, the team's page that signs moderators in. With neither, they paste a token. The page
    connects to its own origin and to the issuer's, and shows images of its own origin and of `image_sources`, such as
    `https://images.example.com`.
    """
    page = (_FILES / "index.html").read_text(encoding="utf-8")
    assert page.count(_PLACE) == 1
    where = {"sign-in": sign_in_url or ""}
    if sign_in:
        where |= {"issuer": sign_in.issuer, "client-id": sign_in.client_id, "scopes": " ".join(sign_in.scopes)}
    page = page.replace(_PLACE, " ".join(f'data-{name}="{escape(value)}"' for name, value in where.items()))
    headers = app_headers(image_sources, [sign_in.origin] if sign_in else [])

    async def console(_: Request) -> Response:
        return HTMLResponse(page, headers=headers)

    return [
        Mount("/moderation/assets", Assets(_FILES / "assets", cache_control=FOREVER)),
        *(Route(path, console) for path in _PAGES),
    ]
