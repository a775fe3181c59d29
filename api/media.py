"""`/media/verify`: verifies signed image URLs for a proxy, such as nginx with `auth_request` (docs/build/images.md).

Input: the headers `X-Original-Host` and `X-Original-URI` of the image request. Output: 204, which the proxy may cache
until the URL expires, or 403 with the reason, which it may cache for seconds. Uses no store and charges no budget.
"""

from email.utils import formatdate

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response

from domain.errors import BadSignature
from domain.media.signing import Images
from observability import metrics

REFUSED_SECONDS = 10
"""Seconds that a proxy may cache a refusal: the signing key may become known in the next moment."""


def verdict(images: Images, headers: Headers, now_ms: int) -> Response:
    """Returns the response for the proxy. Never raises, whatever the headers contain."""
    try:
        expires = images.verify(_one(headers, "x-original-host"), _one(headers, "x-original-uri"), now_ms)
    except BadSignature as error:
        metrics.IMAGE_VERIFICATIONS.labels(error.reason).inc()
        return PlainTextResponse(error.reason, error.status, {"Cache-Control": f"public, max-age={REFUSED_SECONDS}"})
    metrics.IMAGE_VERIFICATIONS.labels("ok").inc()
    left = (expires * 1000 - now_ms) // 1000  # rounded down: no answer is cached longer than its URL is valid
    return Response(
        status_code=204,
        headers={"Cache-Control": f"public, max-age={left}", "Expires": formatdate(expires, usegmt=True)},
    )


def _one(headers: Headers, name: str) -> str:
    """Returns a header's value, or an empty text if the header is missing or repeated."""
    values = headers.getlist(name)
    return values[0] if len(values) == 1 else ""
