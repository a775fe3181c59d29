"""Limits the connections of a process: their number, and the size and duration of request heads.

Input: the bytes that a client sends. Output: requests whose headers are complete and within the limits. All other
requests are refused here. A connection keeps at most twice `header_bytes` (PLAUDIT_CONNECTIONS) of an incomplete
request head, and at most 32 requests that wait for the responses to earlier requests. A client that sends no request
loses its connection after a timeout, or earlier when a new connection needs the room.
"""

import logging
import os
import resource
import time
import weakref
from collections.abc import Callable, Iterable
from functools import cache, partial
from http import HTTPStatus
from math import inf
from typing import Any, cast

from starlette.applications import Starlette

from api import responses
from api.responses import HttpResponse
from dependencies.uvicorn import ASGI3Application, HttpProtocol, RequestResponseCycle
from domain.errors import NotServed, PlauditError, Unavailable
from observability import metrics
from observability.logs import Log
from settings import Settings

log = Log(__name__)
UVICORN_LOG = logging.getLogger("uvicorn.connections")
"""uvicorn's logger for single connections. Logs errors only: the other messages contain whole URLs, and clients could
cause any number of them. Metrics count refused connections.
"""
UVICORN_LOG.setLevel(logging.ERROR)

IDLE_SECONDS = 75.0
"""Seconds that a connection may be idle between two requests. Longer than the idle timeout of most proxies."""
_REFUSED_SECONDS = 2.0
"""Seconds that a refused client has to read the response. Data that the client sends in this time is discarded."""
_LOG_INTERVAL = 60.0
_MOST_HEADERS = 100
"""The most headers that a request may have. Browsers and proxies send fewer than half as many, and each header costs
time apart from its bytes.
"""
_MOST_QUEUED = 32
"""The most requests that a client may send before it has the response to an earlier one. Each queued request occupies
some kilobytes.
"""

CLOSE = (b"connection", b"close")
RESPOND = "plaudit.respond"
"""The name of an ASGI extension that writes a whole response at once, and of its only member, a `Responder`. The two
messages of ASGI cost several times as much for a small response.
"""
Responder = Callable[[HttpResponse], bool]
"""Writes a whole response. Returns False if this is not possible."""
_STATUSES = frozenset(HTTPStatus)

_NOT_HTTP = NotServed("This is not an HTTP/1.1 request.", 400)
_NO_HOST = NotServed("Send one Host header.", 400)
_HEAD_TIMED_OUT = NotServed("The head of the request did not arrive in time.", 408)
_URL_TOO_LONG = NotServed("The URL is too long.", 414)
_HEADERS_TOO_LARGE = NotServed("The headers are too large, or too many.", 431)
_TOO_MANY_QUEUED = NotServed("Read the responses before you send more requests.", 400)
_TOO_MANY_CONNECTIONS = Unavailable("There are too many connections here right now.")


class Connections:
    """The HTTP connections of one process. When their number has reached the limit, a new connection replaces the
    connection that has waited longest for its client's next request.
    """

    def __init__(self, settings: Settings) -> None:
        limits = settings.connections
        self.head_bytes = limits.header_bytes
        self.header_timeout = limits.header_timeout
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.most = limits.most if files < 0 else min(limits.most, files // 2)
        self._waiting: dict[HttpConnection, float] = {}
        """The deadline of each connection that waits for its client. The connection that has waited longest
        is first.
        """
        self._logged: dict[str, float] = {}

    def set_deadline(self, connection: "HttpConnection", seconds: float) -> None:
        """Sets the time, in seconds from now, by which a client must have sent its request. Adds the connection to the
        end of the waiting connections; a connection that waits already keeps its position.
        """
        self._waiting[connection] = time.monotonic() + seconds

    def remove(self, connection: "HttpConnection") -> None:
        """Removes a connection from those that wait for their clients."""
        self._waiting.pop(connection, None)

    def is_waiting(self, connection: "HttpConnection") -> bool:
        """Returns whether a connection waits for its client to send a request."""
        return connection in self._waiting

    def make_room(self) -> bool:
        """Closes the connection that has waited longest for its client. Returns False if no connection waits. Logs that
        the limit is reached.
        """
        self._warn("the limit of connections is reached", most=self.most)
        longest = next(iter(self._waiting), None)
        if longest:
            longest.close()
        return longest is not None

    def close_expired(self) -> None:
        """Closes the connections whose deadline has passed. Logs an error if the process has no free file
        descriptor.
        """
        now = time.monotonic()
        for connection in [connection for connection, until in self._waiting.items() if until < now]:
            connection.expire()
        try:
            os.close(os.open(os.devnull, os.O_RDONLY))
        except OSError as error:  # uvloop closes new connections without a log line
            self._warn("the process has no free file descriptor", error=str(error))

    def _warn(self, event: str, **facts: Any) -> None:
        now = time.monotonic()
        if now - self._logged.get(event, -inf) > _LOG_INTERVAL:
            self._logged[event] = now
            log.error(event, **facts)


class HttpConnection(HttpProtocol):
    """One HTTP connection of a client, with limits on request heads and on waiting."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.logger = UVICORN_LOG
        self._registry: Connections = cast("Starlette", self.config.app).state.connections
        self.url = b""
        self._request_begun = False
        """Whether the client has begun a request that may be incomplete."""
        self._in_body = False
        self._refused = False
        self._error: PlauditError = _NOT_HTTP
        self._unread = 0
        """The approximate number of bytes received since the request began, or since a part of its body was read."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        if len(self.connections) > self._registry.most and not self._registry.make_room():
            self.refuse(_TOO_MANY_CONNECTIONS)
        else:
            self._registry.set_deadline(self, self._registry.header_timeout)

    def connection_lost(self, exc: Exception | None) -> None:
        self._registry.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._request_begun and self._registry.is_waiting(self):
            self._registry.set_deadline(self, self._registry.header_timeout)
        self._request_begun = True
        for start in range(0, len(data), self._registry.head_bytes):
            if self._refused or self.transport.get_protocol() is not self:
                return
            self._feed(data[start : start + self._registry.head_bytes])

    def _feed(self, data: bytes) -> None:
        """Passes received data, at most `header_bytes`, to the parser. Refuses the request if the parser has received
        more than twice `header_bytes` since it last completed a request head or a part of a body.
        """
        super().data_received(data)
        self._unread += len(data)
        if self._unread > 2 * self._registry.head_bytes and not self._refused:
            self.refuse(_URL_TOO_LONG if len(self.url) > self._registry.head_bytes else _HEADERS_TOO_LARGE)

    def on_message_begin(self) -> None:
        self._unread = 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._unread = 0
        if error := self._head_error():
            self._error = error
            raise ValueError(error.message)  # the parser ends, and uvicorn calls send_400_response
        self.scope["headers"] = [*self.headers]  # trailers of the body are added to self.headers
        self._in_body = True
        self._registry.remove(self)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._unread = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._in_body = False
        self._start_idle_timeout()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._start_idle_timeout()

    def start_request(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        # Without the proxy, the scope and the cycle would refer to each other.
        cycle.scope["extensions"] = {RESPOND: {RESPOND: partial(self._respond, weakref.proxy(cycle))}}
        super().start_request(cycle, app)

    def _respond(self, cycle: RequestResponseCycle, response: HttpResponse) -> bool:
        """Writes a whole response at once. Returns False if this is not possible, because earlier data must be written
        first or the response has begun. Returns True without writing if the client has disconnected.
        """
        if cycle.disconnected:
            return True
        if self.flow.write_paused or cycle.response_started:
            return False
        default = self.server_state.default_headers
        cycle.keep_alive = cycle.keep_alive and CLOSE not in default
        headers = [*default, *response.headers]
        if not cycle.keep_alive and CLOSE not in headers:
            headers.append(CLOSE)
        self.transport.write(encode(response.status, headers, response.content))
        cycle.response_started = cycle.response_complete = True
        cycle.message_event.set()
        if not cycle.keep_alive:
            self.transport.close()
        cycle.on_response()
        return True

    def _start_idle_timeout(self) -> None:
        """Starts the idle timeout of the connection, if both the last request and its response have ended."""
        self._request_begun = False
        if self._cycle and self._cycle.response_complete and not self._refused:
            self._registry.set_deadline(self, IDLE_SECONDS)

    @property
    def is_new(self) -> bool:
        """Returns whether the head of the first request has not arrived yet."""
        return self._cycle is None

    @property
    def _cycle(self) -> RequestResponseCycle | None:
        """Returns the state of the connection's last request, or None before the first one."""
        return self.cycle

    def _head_error(self) -> PlauditError | None:
        """Returns the error if this request head cannot be served, otherwise None."""
        most = self._registry.head_bytes
        if len(self.pipeline) >= _MOST_QUEUED:
            return _TOO_MANY_QUEUED
        if len(self.url) > most:
            return _URL_TOO_LONG
        sizes = [len(name) + len(value) + 4 for name, value in self.headers]
        if len(sizes) > _MOST_HEADERS or len(self.url) + sum(sizes) > most:
            return _HEADERS_TOO_LARGE
        hosts = sum(name == b"host" for name, _ in self.headers)
        if hosts > 1 or (hosts == 0 and self.parser.get_http_version() == "1.1"):
            return _NO_HOST
        return None

    def send_400_response(self, msg: str) -> None:
        """Refuses data that the parser could not read, or a request head that cannot be served. uvicorn calls this
        method.
        """
        del msg
        self.refuse(self._error)

    def expire(self) -> None:
        """Closes the connection because its deadline has passed. If the client has sent a part of a request head,
        answers with status 408 first.
        """
        if self._request_begun and not self._in_body and not self._refused:
            self.refuse(_HEAD_TIMED_OUT)
        else:
            self.close()

    def close(self) -> None:
        """Closes the connection without a response."""
        self._registry.remove(self)
        self.transport.close()

    def refuse(self, error: PlauditError) -> None:
        """Sends an error and closes the connection. If an earlier request is running, sends no error: the connection
        closes after the response to this request, or at once if a part of its body is missing.
        """
        self._refused = True
        metrics.CONNECTIONS_REFUSED.labels(error.status).inc()
        cycle = self._cycle
        if cycle and not cycle.response_complete and not cycle.more_body:
            cycle.keep_alive = False
        elif cycle and not cycle.response_complete:  # the body cannot be read
            self.transport.close()
        elif not self.transport.is_closing():
            self.transport.write(encode_error(error, [*self.server_state.default_headers, CLOSE]))
            self.transport.write_eof()
            self._registry.set_deadline(self, _REFUSED_SECONDS)


def encode_error(error: PlauditError, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Returns the complete HTTP response to a refused request as bytes, for connections without an ASGI request."""
    own, body = _encoded_parts(error)
    return encode(error.status, [*headers, *own], body)


def encode(status: int, headers: Iterable[tuple[bytes, bytes]], content: bytes) -> bytes:
    """Returns an HTTP response as bytes."""
    lines = [_status_line(status), *[b"%b: %b" % one for one in headers], b"", content]
    return b"\r\n".join(lines)


@cache
def _status_line(status: int) -> bytes:
    known = HTTPStatus(status) if status in _STATUSES else None
    return b"HTTP/1.1 %d %b" % (status, known.phrase.encode() if known else b"")


@cache
def _encoded_parts(error: PlauditError) -> tuple[list[tuple[bytes, bytes]], bytes]:
    response = responses.error_response(error)
    return response.headers, response.content
