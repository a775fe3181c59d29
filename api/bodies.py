"""Reads the bodies of requests, up to a size and within a time."""

from starlette.types import Receive

from api.headers import Headers
from api.time_limit import TimeLimit
from domain.errors import NotServed


async def read(headers: Headers, receive: Receive, most: int, time_limit: TimeLimit) -> bytes:
    """Returns the body of a request. Raises NotServed if the body has more than `most` bytes, or does not arrive in
    time. If the Content-Length is too large, raises before reading.
    """
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
