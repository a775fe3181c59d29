"""Reads the bodies of requests, up to a size and within a time."""

from starlette.types import Receive

from api.headers import Headers
from api.time_limit import TimeLimit
from domain.errors import NotServed


async def read(headers: Headers, receive: Receive, most: int, time_limit: TimeLimit) -> bytes:
    """Returns the body of a request. Raises NotServed if the body is compressed, has more than `most` bytes, or does
    not arrive in time. If the headers say that the body is compressed or too large, raises before reading.
    """
    _check_encoding(headers)
    announced = headers.first("content-length") or ""
    _check_length(int(announced) if announced.isdecimal() and len(announced) < 20 else 0, most)
    try:
        with time_limit():
            body = await _received(receive, most)
    except TimeoutError:
        body = None
    if body is None:
        raise NotServed("The body of the request did not arrive in time.", 408)
    return body


def _check_encoding(headers: Headers) -> None:
    """Raises NotServed for a body with a content coding. Decoding could turn a small body into a very large one."""
    codings = {coding.strip().lower() for coding in headers.joined("content-encoding").split(",")}
    if codings - {"", "identity"}:
        message = "Send the body as it is, without Content-Encoding."
        raise NotServed(message, 415, headers={"Accept-Encoding": "identity"})


async def _received(receive: Receive, most: int) -> bytes | None:
    """Returns the body of a request, or None if the client has disconnected. Raises NotServed if the body has more than
    `most` bytes.
    """
    body, more = bytearray(), True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        more = message.get("more_body", False)
        _check_length(len(body), most)
    return bytes(body)


def _check_length(has: int, most: int) -> None:
    if has > most:
        raise NotServed(f"The body has {has} bytes or more; the limit is {most}.", 413)
