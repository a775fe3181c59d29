"""`/media/verify`: verifies image URLs for a proxy, as nginx asks with `auth_request` (docs/build/images.md).

Enters: `X-Original-Host` and `X-Original-URI`, the host of the image's URL and the URI that was asked for. Leaves: 204,
which may be kept until the URL expires, or 403 with the reason, which may be kept for seconds. No store is asked, and
nobody is charged.
"""

from email.utils import formatdate

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response

from domain.errors import BadSignature
from domain.media.signing import Images
from observability import metrics

REFUSED_SECONDS = 10
"""A key that is not known yet may be in a moment."""


def verdict(images: Images, headers: Headers, now_ms: int) -> Response:
    """The answer. Never raises: whatever the headers are, it is not an image of ours or it is."""
    try:
        expires = images.verify(_one(headers, "x-original-host"), _one(headers, "x-original-uri"), now_ms)
    except BadSignature as error:
        metrics.IMAGE_VERIFICATIONS.labels(error.reason).inc()
        return PlainTextResponse(error.reason, error.status, {"Cache-Control": f"public, max-age={REFUSED_SECONDS}"})
    metrics.IMAGE_VERIFICATIONS.labels("ok").inc()
    left = (expires * 1000 - now_ms) // 1000  # rounded down: no verdict outlives its URL
    return Response(
        status_code=204,
        headers={"Cache-Control": f"public, max-age={left}", "Expires": formatdate(expires, usegmt=True)},
    )


def _one(headers: Headers, name: str) -> str:
    """A header's value; nothing where it is missing, or sent twice."""
    values = headers.getlist(name)
    return values[0] if len(values) == 1 else ""
