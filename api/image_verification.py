"""`/media/verify`: verifies signed image URLs for a proxy, such as nginx with `auth_request` (docs/build/images.md).

Input: the headers `X-Original-Host` and `X-Original-URI` of the image request. Output: 204, which the proxy may cache
until the URL expires, or 403 with the reason, which the proxy may cache for REFUSED_SECONDS. Uses no store and charges
no budget.
"""

from email.utils import formatdate

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response

from domain.errors import BadSignature
from domain.images.signed_urls import Images
from observability import metrics

REFUSED_SECONDS = 10
"""Seconds for which a proxy may cache a refusal. Short, because the missing signing key may be configured soon."""


def verify_image(images: Images, headers: Headers, now_ms: int) -> Response:
    """Returns the response for the proxy that asks whether an image may be served. Never raises: invalid headers are
    answered with 403.
    """
    try:
        expires = images.verify(
            _single_header(headers, "x-original-host"), _single_header(headers, "x-original-uri"), now_ms
        )
    except BadSignature as error:
        metrics.IMAGE_VERIFICATIONS.labels(error.reason).inc()
        return PlainTextResponse(error.reason, error.status, {"Cache-Control": f"public, max-age={REFUSED_SECONDS}"})
    metrics.IMAGE_VERIFICATIONS.labels("ok").inc()
    left = (expires * 1000 - now_ms) // 1000  # rounded down: no answer is cached longer than its URL is valid
    return Response(
        status_code=204,
        headers={"Cache-Control": f"public, max-age={left}", "Expires": formatdate(expires, usegmt=True)},
    )


def _single_header(headers: Headers, name: str) -> str:
    """Returns the value of a header, or an empty text if the header is missing or repeated."""
    values = headers.getlist(name)
    return values[0] if len(values) == 1 else ""
