"""Draws the avatars and photos of the demo data in the API process, so that they are shown without a network. Used in
development only.

Input: signed URLs of `DEMO_HOST`, which domain/images/signed_urls.py turns into URLs of the API process. Output: SVG
without scripts, always the same for the same URL.
"""

import re
import time
from collections.abc import Callable
from random import Random

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from domain.errors import BadSignature
from domain.images.signed_urls import Images
from settings import DEMO_HOST, DEMO_PATH

_AVATAR = re.compile(r"/avatar/([a-z0-9_.-]{1,64})\.svg")
_PHOTO = re.compile(r"/photo/([a-z]+)-([0-9]{1,6})\.svg")
SKIES = {
    "dawn": ("#fbc2a4", "#f7e6d0", "#6b5b7b"),
    "noon": ("#6fb7e9", "#dff1fb", "#3f7d58"),
    "dusk": ("#3b3a6d", "#f08a5d", "#2b2545"),
    "night": ("#0b1026", "#2f3c6e", "#10182f"),
}
"""For each sky: the colours at its top and at its bottom, and the colour of the hills in front of it."""
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


def avatar_url(handle: str) -> str:
    """Returns the URL of a demo user's avatar as a profile stores it, without signature."""
    return f"https://{DEMO_HOST}/avatar/{handle}.svg"


def photo(chance: Random) -> tuple[str, str]:
    """Returns the URL of a random photo as a post stores it, without signature, and the alternative text
    of the photo.
    """
    sky, number = chance.choice(list(SKIES)), chance.randrange(100)
    return f"https://{DEMO_HOST}/photo/{sky}-{number}.svg", f"Hills at {sky}, one row behind the other"


def demo_route(images: Callable[[Request], Images]) -> Route:
    """Returns the HTTP route that serves a picture for a signed URL. `images` returns, for a request, the object that
    verifies the signature.
    """

    async def picture(request: Request) -> Response:
        path = "/" + request.path_params["path"]
        try:
            expires = images(request).verify(DEMO_HOST, f"{path}?{request.url.query}", time.time_ns() // 1_000_000)
        except BadSignature as error:
            return PlainTextResponse(error.reason, error.status, _HEADERS)
        svg = _drawn(path)
        if svg is None:
            return PlainTextResponse("Not Found", 404, _HEADERS)
        kept = {"Cache-Control": f"public, max-age={max(0, expires - int(time.time()))}"}
        return Response(svg, media_type="image/svg+xml", headers=_HEADERS | kept)

    return Route(f"{DEMO_PATH}/{{path:path}}", picture)


def _drawn(path: str) -> str | None:
    """Returns the SVG of the picture at the path of a URL; None if there is no picture at this path."""
    if match := _AVATAR.fullmatch(path):
        return _avatar(match[1])
    if (match := _PHOTO.fullmatch(path)) and match[1] in SKIES:
        return _hills(match[1], Random(path))
    return None


def _svg(width: int, height: int, body: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{body}</svg>'


def _fade(above: str, below: str) -> str:
    return (
        f'<linearGradient id="fade" x2="0" y2="1"><stop stop-color="{above}"/>'
        f'<stop offset="1" stop-color="{below}"/></linearGradient><rect width="100%" height="100%" fill="url(#fade)"/>'
    )


def _avatar(handle: str) -> str:
    """Returns an avatar as SVG: the first letter of a handle, on a colour that depends on the handle."""
    hue = Random(handle).randrange(360)
    letter = (
        '<text x="50" y="52" text-anchor="middle" dominant-baseline="central" font-family="sans-serif" font-size="52" '
        f'fill="#fff">{handle[0].upper()}</text>'
    )
    return _svg(100, 100, _fade(f"hsl({hue} 60% 62%)", f"hsl({(hue + 40) % 360} 55% 42%)") + letter)


def _hills(sky: str, chance: Random) -> str:
    """Returns a landscape as SVG: rows of hills, darker in front, below a sun or a moon."""
    above, below, colour = SKIES[sky]
    disc = f'<circle cx="{chance.randint(80, 560)}" cy="{chance.randint(60, 150)}" r="34" fill="#fff3d6"/>'
    rows = "".join(_row(chance, top, colour, opacity) for top, opacity in ((190, 0.35), (235, 0.6), (285, 1)))
    return _svg(640, 360, _fade(above, below) + disc + rows)


def _row(chance: Random, top: int, colour: str, opacity: float) -> str:
    tops = " ".join(f"T{x} {top + chance.randint(-40, 40)}" for x in range(160, 641, 160))
    return f'<path d="M0 360V{top}Q80 {top - 50} 120 {top}{tops}V360Z" fill="{colour}" opacity="{opacity}"/>'
