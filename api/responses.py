"""HTTP responses: status, headers and body, and the answer 304 if the client already has the body."""

import hashlib
import math
import re
from dataclasses import dataclass

import orjson
from starlette.types import Send

from api.headers import GRAPHQL_JSON, Accepted, Headers
from domain.errors import NotServed, PlauditError

UTF8 = "; charset=utf-8"
_ETAG = re.compile(r'"[^"]*"')


def status_and_headers(error: PlauditError) -> tuple[int, dict[str, str]]:
    """Returns the HTTP status and headers for an error that refuses a whole request."""
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {}
    if isinstance(error, NotServed):
        headers |= error.headers
    if error.retry_after is not None:
        headers["Retry-After"] = str(math.ceil(error.retry_after))
    return error.status, headers


def error_response(error: PlauditError) -> "HttpResponse":
    """Returns the response for a request that is refused before it is parsed."""
    status, extra = status_and_headers(error)
    body = {"errors": [{"message": error.message, "extensions": error.extensions}]}
    content = orjson.dumps(body)
    headers = {"Cache-Control": "no-store", **extra, "Content-Length": str(len(content))}
    return HttpResponse(status, _encoded({**headers, "Content-Type": GRAPHQL_JSON + UTF8}), content)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """An HTTP response in the form that ASGI servers send."""

    status: int
    headers: list[tuple[bytes, bytes]]
    content: bytes = b""

    async def send(self, send: Send) -> None:
        """Sends the response through an ASGI function."""
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        await send({"type": "http.response.body", "body": self.content})


def response(
    method: str, headers: Headers, accepted: Accepted, content: bytes, status: int, extra: dict[str, str]
) -> HttpResponse:
    """Returns the HTTP response to a request. `method`, `headers` and `accepted` (media types) are those of the
    request; `content` is the encoded body. `extra` has the headers of the response that do not describe the body, among
    them Cache-Control. This function adds the headers of the body to `extra`.

    The response to HEAD has no body. If the client already has the body and the response may be cached, the status is
    304.
    """
    media_type = (accepted.media_type if status < 300 else None) or accepted.error_media_type
    if "no-store" not in extra["Cache-Control"]:
        extra["ETag"] = _etag(content, media_type)
        if _matches_etag(headers, extra["ETag"]):
            return HttpResponse(304, _encoded(extra))
    extra["Content-Length"] = str(len(content))
    extra["Content-Type"] = media_type + UTF8
    return HttpResponse(status, _encoded(extra), b"" if method == "HEAD" else content)


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]


def _etag(content: bytes, media_type: str) -> str:
    """Returns a strong ETag for a body. The ETag depends on the media type, too."""
    return f'"{hashlib.blake2b(content, digest_size=16, key=media_type.encode()).hexdigest()}"'


def _matches_etag(headers: Headers, tag: str) -> bool:
    known = ",".join(headers.all("if-none-match"))
    return known.strip() == "*" or tag in _ETAG.findall(known)
