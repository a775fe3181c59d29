"""Draws the avatars and photos of the demo data in the API process, so that they are shown without a network. Used in
development only.

Input: signed URLs of `DEMO_HOST`, which domain/images/signed_urls.py turns into URLs of the API process. Output: SVG
without scripts, always the same for the same URL. `scenes.py` and `portraits.py` draw.
"""

import re
import time
from collections.abc import Callable
from random import Random

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from domain.errors import BadSignature
from domain.images.signed_urls import Images
from models.attachments import Attachment
from seed.portraits import portrait
from seed.scenes import HILLS, LIGHTS, SCENES, drawn
from settings import DEMO_HOST, DEMO_PATH

_AVATAR = re.compile(r"/avatar/([a-z0-9_.-]{1,64})\.svg")
_PHOTO = re.compile(r"/photo/(?:([a-z]+)-)?([a-z]+)-([0-9]{1,6})\.svg")
"""Matches the path of a photo: its scene (hills by default), its light and a number."""
_SUBJECTS = {
    "photography": ("city", "sea", "hills", "peaks"),
    "摄影": ("city", "sea", "forest", "hills"),
    "hiking": ("peaks", "hills", "forest", "sea", "stars"),
    "旅行": ("sea", "peaks", "city", "hills"),
    "cycling": ("road", "hills", "sea", "forest"),
    "running": ("road", "forest", "hills", "city"),
    "跑步": ("road", "forest", "city", "hills"),
    "gardening": ("plant", "forest", "tea", "hills"),
    "astronomy": ("stars", "peaks", "hills", "sea"),
    "baking": ("loaf", "tea", "bowl", "plant"),
    "美食": ("bowl", "tea", "loaf", "plant"),
    "books": ("books", "tea", "plant", "city"),
    "读书": ("books", "tea", "plant", "city"),
    "music": ("record", "city", "tea", "stars"),
    "programming": ("tea", "city", "plant", "books"),
    "everyday": ("tea", "city", "plant", "books"),
    "日常": ("tea", "city", "bowl", "plant"),
}
"""The scenes of the photos about each interest. Those that come first are the most usual."""
_COUNTS = (1, 2, 3, 4), (58, 18, 12, 12)
"""The numbers of photos that a post with photos may have, and how often each occurs."""
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


def avatar_url(handle: str) -> str:
    """Returns the URL of a demo user's avatar as a profile stores it, without signature."""
    return f"https://{DEMO_HOST}/avatar/{handle}.svg"


def photos(chance: Random, interest: str, language: str) -> tuple[Attachment, ...]:
    """Returns one to four random photos about an interest, as a post stores them: with URLs without signature, and with
    alternative texts in the language.
    """
    scenes, count = _SUBJECTS[interest], chance.choices(*_COUNTS)[0]
    chosen = [chance.choice(scenes[:2])] if count == 1 else chance.sample(scenes, k=count)
    return tuple(photo(chance, scene, language) for scene in chosen)


def photo(chance: Random, scene: str = HILLS, language: str = "en") -> Attachment:
    """Returns a random photo of a scene, as a post stores it."""
    light, number = chance.choice(list(LIGHTS)), chance.randrange(1000)
    kind = SCENES[scene]
    url = f"https://{DEMO_HOST}/photo/{scene}-{light}-{number}.svg"
    return Attachment(url, kind.text(light, language), width=kind.width, height=kind.height)


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
        svg = picture_at(path)
        if svg is None:
            return PlainTextResponse("Not Found", 404, _HEADERS)
        kept = {"Cache-Control": f"public, max-age={max(0, expires - int(time.time()))}"}
        return Response(svg, media_type="image/svg+xml", headers=_HEADERS | kept)

    return Route(f"{DEMO_PATH}/{{path:path}}", picture, middleware=[Middleware(GZipMiddleware)])


def picture_at(path: str) -> str | None:
    """Returns the SVG of the picture at the path of a URL; None if there is no picture at this path."""
    if match := _AVATAR.fullmatch(path):
        return portrait(match[1])
    if not (match := _PHOTO.fullmatch(path)):
        return None
    scene, light, _ = match.groups(HILLS)
    return drawn(scene, light, Random(path)) if scene in SCENES and light in LIGHTS else None
